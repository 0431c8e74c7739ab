import { expect, test } from "vitest";
import { exportedNames } from "./collect.ts";
import { changedNames, latestVersion, readDocument, unmentioned, writeDocument } from "./document.ts";

const surface = new Map([
  ["Endpoints", ["GET /a", "POST /b"]],
  ["Events", ["shop-chat:open"]],
]);

test("writes a document that it can read back", () => {
  expect(readDocument(writeDocument(surface, "1.2.3"))).toEqual({ version: "1.2.3", surface });
});

test("finds added and removed names, and whole sections", () => {
  const now = new Map([
    ["Endpoints", ["GET /a", "GET /c"]],
    ["Attributes", ["locale"]],
  ]);
  expect(changedNames(surface, now).toSorted()).toEqual(["GET /c", "POST /b", "locale", "shop-chat:open"]);
});

test("finds changed names that the section Unreleased does not mention", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\n- `GET /c` is new.\n\n## 1.2.3\n\n- `POST /b`\n";
  expect(unmentioned(["GET /c", "POST /b"], changelog)).toEqual(["POST /b"]);
  expect(unmentioned(["POST /b"], "# Changelog\n\n## 1.2.3\n\n- `POST /b`\n")).toEqual(["POST /b"]);
});

test("reads the version of the changelog", () => {
  expect(latestVersion("## Unreleased\n\n## 0.2.0 (2026-11-23)\n\n## 0.1.0\n")).toBe("0.2.0");
});

test("reads exported names from lists and declarations", () => {
  const source = [
    'export { type A, b, c as d } from "./x.ts";',
    "export const e = 1;",
    "export interface F {}",
    "export function g() {}",
    "const hidden = 2;",
  ].join("\n");
  expect(exportedNames(source)).toEqual(["A", "F", "b", "d", "e", "g"]);
});
