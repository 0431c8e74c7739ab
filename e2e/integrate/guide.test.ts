import { expect, test } from "vitest";
import { applyDiff, codeBlocks, countLines } from "./guide.ts";

const guide = [
  "# Guide",
  "## Next",
  '```ts title="lib/chat.ts"',
  "// The one server object.",
  "export const chat = 1;",
  "",
  "```",
  "```sh",
  "npm install",
  "```",
  "## Hono",
  '```diff title="a.ts"',
  " one",
  "+two",
  "```",
].join("\n");

test("reads each block with its section, its language and its file", () => {
  expect(codeBlocks(guide)).toMatchObject([
    { section: "Next", language: "ts", file: "lib/chat.ts" },
    { section: "Next", language: "sh", file: undefined, text: "npm install\n" },
    { section: "Hono", language: "diff", file: "a.ts", text: " one\n+two\n" },
  ]);
});

test("counts the lines that a host writes, without comments and blank lines", () => {
  expect(countLines(codeBlocks(guide).filter(({ language }) => language !== "sh"))).toBe(2);
});

test("applies added and removed lines after their context lines", () => {
  const diff = " one\n+one and a half\n@@\n-three\n+THREE\n+four\n";
  expect(applyDiff("one\ntwo\nthree\nend\n", diff)).toBe("one\none and a half\ntwo\nTHREE\nfour\nend\n");
});

test("rejects a change of a line that the file does not have", () => {
  expect(() => applyDiff("one\n", " two\n+three\n")).toThrow("does not have: two");
});
