import { expect, test } from "vitest";
import { authorName, teammateName } from "./author-name.ts";
import en from "./i18n/en.json" with { type: "json" };

const chat = {
  t: en,
  shop: { agentName: "Wren", shopName: "", contact: null, logo: null, suggestions: [], pictureOrigins: null },
};

test('calls a teammate without a name "Team"', () => {
  for (const teammate of [null, { name: "" }, { name: " \u00a0" }]) {
    expect(teammateName({ teammate }, en)).toBe(en.messages.team);
    expect(authorName({ role: "teammate", author: teammate }, chat)).toBe(en.messages.team);
  }
  expect(teammateName({ teammate: { name: " Zoë " } }, en)).toBe("Zoë");
  expect(authorName({ role: "agent", author: null }, chat)).toBe("Wren");
});
