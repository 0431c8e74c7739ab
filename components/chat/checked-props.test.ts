import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import type { ShopDetails } from "./chat-context.ts";
import { useCheckedProps } from "./checked-props.ts";

beforeEach(() => void vi.stubGlobal("document", { baseURI: "https://shop.example/help" }));

/** The shop's details as the chat gets them. */
function detailsOf(shop: ShopDetails): ShopDetails {
  const html = renderToStaticMarkup(createElement(Details, { shop }));
  return JSON.parse(html.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
}

function Details({ shop }: { shop: ShopDetails }) {
  return JSON.stringify(useCheckedProps(shop));
}

test("leaves out what a host's props hold besides the details of the shop", () => {
  const shop: ShopDetails = {
    agentName: "Wren",
    shopName: "Tarn & Tread",
    contact: { label: "+44 1632 960101", href: "tel:+441632960101" },
    logo: "/logo.svg",
    suggestions: ["Do you deliver to Ireland?"],
    suggestionIcons: ["box"],
    teamHours: "Monday to Saturday",
    help: { label: "Help", href: "/help", search: "q" },
    pictureOrigins: ["https://cdn.example.com"],
    disclosure: { label: "AI assistant", text: "Wren is an AI." },
    consent: { text: "We store what you write.", href: "/privacy", version: "2" },
  };
  // As an element with React's own fields.
  const ref: { current: unknown } = { current: null };
  ref.current = { owner: ref };
  expect(detailsOf(Object.assign({ ref }, shop))).toEqual(shop);
});

test("leaves out a host's address that would run as a script, and keeps a text that can stand alone", () => {
  const details = (href: string) =>
    detailsOf({
      agentName: "Wren",
      shopName: "Shop",
      contact: { label: "Call us", href },
      help: { label: "Help", href },
      consent: { text: "Agree?", href },
      logo: href,
    });
  for (const address of [
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "vbscript:x",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://shop.example/1",
    "https://",
  ])
    expect(details(address), address).toEqual({
      agentName: "Wren",
      shopName: "Shop",
      contact: { label: "Call us" },
      consent: { text: "Agree?" },
    });
  for (const address of [
    "/help",
    "?a=1",
    "help.html",
    "//cdn.example/a.svg",
    "https://a.example/",
    "mailto:help@a.example",
    "tel:+44 1632 960101",
    "sms:+441632960101",
    "data:image/png;base64,iVBORw0KGgo=",
  ])
    expect(details(address).contact?.href, address).toBe(address);
  expect(detailsOf({ agentName: "", shopName: "", contact: null, logo: null })).toEqual({
    agentName: "",
    shopName: "",
  });
});

test("ignores properties of another kind than documented, with a warning each", () => {
  const said = vi.spyOn(console, "warn").mockReturnValue();
  const given = {
    agentName: null,
    shopName: 7,
    locale: {},
    api: "/shop/chat",
    theme: "blue",
    mode: "huge",
    suggestions: 5,
    pictureOrigins: [5],
    contact: "+44",
    disclosure: { label: "AI assistant" },
    consent: { text: 5, href: "/privacy" },
    greeting: { text: "Hello", after: "soon", paths: "/" },
  };
  const shop: ShopDetails = JSON.parse(JSON.stringify(given));
  expect(detailsOf(shop)).toEqual({
    agentName: "",
    shopName: "",
    api: "/shop/chat",
    greeting: { text: "Hello" },
  });
  expect(said.mock.calls.map(([text]) => /"(\w+)"/.exec(text)?.[1]).sort()).toEqual([
    ...["after", "consent", "contact", "disclosure", "locale", "mode", "paths", "pictureOrigins"],
    ...["shopName", "suggestions", "text", "theme"],
  ]);
});
