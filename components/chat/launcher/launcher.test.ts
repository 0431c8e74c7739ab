import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { builtInLanguages } from "../i18n/built-in.ts";
import { Launcher } from "./launcher.tsx";

test("says the number of unread messages by one text or by the plural forms of its language", () => {
  const forms = { one: "{count} wiadomość", few: "{count} wiadomości", other: "{count} wiadomości (inne)" };
  const labelFor = (unread: number, text: string | typeof forms) => {
    const t = { ...builtInLanguages.en.launcher, unread: text };
    const button = {
      t,
      tag: "pl",
      unread,
      isLoading: false,
      hasFailed: false,
      isOpen: false,
      ref: null,
    } as const;
    const html = renderToStaticMarkup(createElement(Launcher, { ...button, onOpen: () => undefined }));
    return / role="img" aria-label="([^"]*)"/.exec(html)?.[1];
  };
  expect([0, 1, 3, 5].map((count) => labelFor(count, forms))).toEqual([
    undefined,
    "1 wiadomość",
    "3 wiadomości",
    "5 wiadomości (inne)",
  ]);
  expect(labelFor(2, "Unread: {count}")).toBe("Unread: 2");
});
