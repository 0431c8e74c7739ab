import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { inertChat } from "../../lib/engine/testing/inert-chat.ts";
import type { ShopDetails } from "./chat-context.ts";
import { useContextValue } from "./context-value.ts";
import { testChat } from "./testing/rendered.ts";

function Details({ shop }: { shop: ShopDetails }) {
  return JSON.stringify(useContextValue(inertChat(), testChat.t, "en", shop, testChat.onEvent)?.shop);
}

test("leaves out what a host's props hold besides the details of the shop", () => {
  const shop: ShopDetails = {
    agentName: "Wren",
    shopName: "Tarn & Tread",
    contact: { label: "+44 1632 960101", href: "tel:+441632960101" },
    logo: "/logo.svg",
    suggestions: ["Do you deliver to Ireland?"],
    pictureOrigins: ["https://cdn.example.com"],
    disclosure: { label: "AI assistant", text: "Wren is an AI." },
    consent: { text: "We store what you write.", href: "/privacy", version: "2" },
  };
  // As an element with React's own fields.
  const ref: { current: unknown } = { current: null };
  ref.current = { owner: ref };
  const html = renderToStaticMarkup(createElement(Details, { shop: Object.assign({ ref }, shop) }));
  expect(JSON.parse(html.replaceAll("&quot;", '"').replaceAll("&amp;", "&"))).toEqual(shop);
});
