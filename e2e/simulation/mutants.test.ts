import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutants, sourceWith } from "./mutants.ts";

test.each(Object.entries(mutants))("a mutant changes one place of its file: %s", (_name, mutant) => {
  const source = readFileSync(new URL(`../../${mutant.file}`, import.meta.url), "utf8");
  expect(sourceWith(mutant, source)).not.toBe(source);
});
