import { createElement } from "react";
import { expect, test } from "vitest";
import { chatWith, rendered } from "../testing/rendered.ts";
import { Welcome } from "./welcome.tsx";

test("shows the shop's disclosure in its own direction", () => {
  const chat = chatWith({});
  const disclosure = { label: "AI", text: "Wren is an AI." };
  const html = rendered(createElement(Welcome, { isOpen: true, focusComposer: () => undefined }), {
    ...chat,
    shop: { ...chat.shop, disclosure },
  });
  expect(html).toContain('<p dir="auto">Wren is an AI.</p>');
});
