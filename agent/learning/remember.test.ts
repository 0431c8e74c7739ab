import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { remember } from "./remember.ts";

function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), "remember-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "source.txt"), "one");
  const file = join(folder, "cache", "learned");
  let lessons = 0;
  const learn = () => {
    lessons += 1;
    return { weights: Float32Array.of(0.5, lessons) };
  };
  return {
    folder,
    file,
    weights: () => [...remember(file, [join(folder, "source.txt")], learn).weights],
  };
}

test("learns once, and again when a source has changed", () => {
  const { folder, file, weights } = emptyFolder();
  expect(weights()).toEqual([0.5, 1]);
  expect(weights()).toEqual([0.5, 1]);
  writeFileSync(join(folder, "source.txt"), "two");
  expect(weights()).toEqual([0.5, 2]);
  expect(readdirSync(join(file, ".."))).toEqual(["learned"]);
});

test.each([
  ["cut off", (kept: Buffer) => kept.subarray(0, -1)],
  ["empty", () => Buffer.alloc(0)],
  ["changed in one bit", (kept: Buffer) => kept.with(-1, (kept.at(-1) ?? 0) ^ 1)],
])("replaces a file that is %s", (_, damage) => {
  const { file, weights } = emptyFolder();
  weights();
  writeFileSync(file, damage(readFileSync(file)));
  expect(weights()).toEqual([0.5, 2]);
  expect(weights()).toEqual([0.5, 2]);
});

test("learns at every start where it may not write", () => {
  const { folder, file, weights } = emptyFolder();
  writeFileSync(join(folder, "cache"), "a file in the place of the folder");
  expect(weights()).toEqual([0.5, 1]);
  expect(weights()).toEqual([0.5, 2]);
  expect(readFileSync(join(file, ".."), "utf8")).toMatch("a file");
});
