import { expect, test } from "vitest";
import { propsOf } from "./attributes.ts";

const read = (attributes: Record<string, string>) => propsOf((name) => attributes[name] ?? null);

test("maps every attribute to a property", () => {
  expect(
    read({
      api: "/shop/chat",
      "agent-name": "Wren",
      "shop-name": "Tarn & Tread",
      locale: "de-CH",
      theme: "dark",
      "contact-label": "+44 1632 960101",
      "contact-href": "tel:+441632960101",
      suggestions: "Do you deliver to Ireland? | Which helmets do you have?",
      "picture-origins": "https://cdn.example.com  https://img.example.com",
      customer: "42",
    }),
  ).toEqual({
    api: "/shop/chat",
    agentName: "Wren",
    shopName: "Tarn & Tread",
    locale: "de-CH",
    theme: "dark",
    contact: { label: "+44 1632 960101", href: "tel:+441632960101" },
    suggestions: ["Do you deliver to Ireland?", "Which helmets do you have?"],
    pictureOrigins: ["https://cdn.example.com", "https://img.example.com"],
    customer: "42",
  });
});

test("keeps the defaults without attributes", () => {
  expect(read({})).toEqual({ agentName: "", shopName: "", customer: null, suggestions: [] });
});

test("ignores an incomplete contact and an unknown theme", () => {
  expect(read({ "contact-label": "Call us", theme: "blue" })).toEqual({
    agentName: "",
    shopName: "",
    customer: null,
    suggestions: [],
  });
});
