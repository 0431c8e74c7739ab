import { expect, test } from "vitest";
import { aCollection } from "../../../lib/chat-api/testing/builders.ts";
import { isSameRow } from "./row-page.tsx";

test("renders an ended form again once another form has taken its place", () => {
  const row = { kind: "form", id: "form-1", collection: aCollection(), isLatest: true } as const;
  expect(isSameRow(row, { ...row })).toBe(true);
  expect(isSameRow(row, { ...row, isLatest: false })).toBe(false);
});
