// @vitest-environment jsdom
import { act, createElement } from "react";
import { expect, test } from "vitest";
import { ChatApiError } from "../../../lib/chat-api/errors.ts";
import { aFile } from "../../../lib/engine/testing/builders.ts";
import { ChatContext } from "../chat-context.ts";
import german from "../i18n/de.json" with { type: "json" };
import { mounted } from "../testing/mounted.ts";
import { rendered, testChat } from "../testing/rendered.ts";
import { FileLink } from "./file-list.tsx";

test("labels a file without a name as a file, in the chat's language", () => {
  const button = createElement(FileLink, { file: aFile({ filename: "\u202e" }) });
  expect(rendered(button)).toContain("<bdi>File</bdi>");
  expect(rendered(button, { ...testChat, t: german })).toContain("<bdi>Datei</bdi>");
});

test.each([
  ["file_not_found", "No longer available"],
  ["chat_not_found", "No longer available"],
  ["internal_error", "This could not be loaded. Please try again."],
] as const)("announces after %s: %s", async (code, text) => {
  const chat = { ...testChat.chat, readFile: () => Promise.reject(new ChatApiError(code)) };
  const { place } = await mounted(
    <ChatContext value={{ ...testChat, chat }}>
      <FileLink file={aFile()} />
    </ChatContext>,
  );
  await act(async () => place.querySelector("button")?.click());
  expect(place.querySelector("[role=alert]")?.textContent).toBe(text);
});
