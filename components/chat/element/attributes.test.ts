import { expect, test } from "vitest";
import { propsOf } from "./attributes.ts";

const read = (attributes: Record<string, string>) => propsOf((name) => attributes[name] ?? null);

test("maps every attribute but `api` to a property", () => {
  expect(
    read({
      "agent-name": "Wren",
      "shop-name": "Tarn & Tread",
      locale: "de-CH",
      theme: "dark",
      "contact-label": "+44 1632 960101",
      "contact-href": "tel:+441632960101",
      suggestions: "Do you deliver to Ireland? | Which helmets do you have?",
      "suggestion-icons": "box  store",
      "team-hours": "Monday to Saturday",
      "help-label": "Help",
      "help-href": "/help",
      "help-search": "q",
      logo: "/logo.svg",
      "picture-origins": "https://cdn.example.com  https://img.example.com",
      customer: "42",
      mode: "inline",
      side: "start",
      offset: "24 80",
      launcher: "none",
      "open-on-load": "",
      "disclosure-label": "AI assistant",
      "disclosure-text": "Wren is an AI.",
      "consent-text": "We store what you write.",
      "consent-href": "/privacy",
      "consent-version": "2",
      "greeting-text": "Can we help?",
      "greeting-after": "2.5",
      "greeting-paths": "/ /products/*",
    }),
  ).toEqual({
    agentName: "Wren",
    shopName: "Tarn & Tread",
    locale: "de-CH",
    theme: "dark",
    contact: { label: "+44 1632 960101", href: "tel:+441632960101" },
    suggestions: ["Do you deliver to Ireland?", "Which helmets do you have?"],
    suggestionIcons: ["box", "store"],
    teamHours: "Monday to Saturday",
    help: { label: "Help", href: "/help", search: "q" },
    logo: "/logo.svg",
    pictureOrigins: ["https://cdn.example.com", "https://img.example.com"],
    customer: "42",
    mode: "inline",
    side: "start",
    offset: { inline: 24, block: 80 },
    launcher: "none",
    openOnLoad: true,
    disclosure: { label: "AI assistant", text: "Wren is an AI." },
    consent: { text: "We store what you write.", href: "/privacy", version: "2" },
    greeting: { text: "Can we help?", after: 2.5, paths: ["/", "/products/*"] },
  });
});

test("keeps the defaults without attributes", () => {
  expect(read({})).toEqual({ agentName: "", shopName: "", customer: null, suggestions: [] });
});

test("takes one number as the offset of both axes", () => {
  expect(read({ offset: "16" }).offset).toEqual({ inline: 16, block: 16 });
});

test("keeps the greeting's wait if the attribute is no number", () => {
  expect(read({ "greeting-text": "Hello", "greeting-after": "soon" }).greeting).toEqual({ text: "Hello" });
});

test("ignores an incomplete contact and unknown values", () => {
  const unknown = { theme: "blue", mode: "huge", side: "left", offset: "2em", launcher: "big" };
  expect(read({ "contact-label": "Call us", ...unknown })).toEqual({
    agentName: "",
    shopName: "",
    customer: null,
    suggestions: [],
  });
});
