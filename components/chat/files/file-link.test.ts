import { createElement } from "react";
import { expect, test } from "vitest";
import { type FailureCode, failure } from "../../../lib/engine/failure.ts";
import { aFile } from "../../../lib/engine/testing/builders.ts";
import german from "../i18n/de.json" with { type: "json" };
import { rendered, testChat } from "../testing/rendered.ts";
import { DocumentButton } from "./file-link.tsx";

test("labels a file without a name as a file, in the chat's language", async () => {
  const file = aFile({ filename: "\u202e" });
  const props = { file, failed: null, isLoading: false, onPress: () => undefined };
  const button = createElement(DocumentButton, props);
  expect(rendered(button)).toContain("<bdi>File</bdi>");
  expect(rendered(button, { ...testChat, t: german })).toContain("<bdi>Datei</bdi>");
});

test("announces why a file was not saved, or that it is gone with its chat", () => {
  const said = (code: FailureCode) => {
    const props = { file: aFile(), failed: failure(code), isLoading: false, onPress: () => undefined };
    return /role="alert">([^<]*)</.exec(rendered(createElement(DocumentButton, props)))?.[1];
  };
  expect(said("file_not_found")).toBe("No longer available");
  expect(said("chat_not_found")).toBe("No longer available");
  expect(said("internal_error")).toBe("This could not be loaded. Please try again.");
});
