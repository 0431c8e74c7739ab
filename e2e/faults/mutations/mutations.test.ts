import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mutations } from "./mutations.ts";

const root = join(import.meta.dirname, "..", "..", "..");

test.each(Object.entries(mutations))(
  "%s matches each of its source lines exactly once",
  (_, { rewrites }) => {
    for (const { file, find } of rewrites) {
      const occurrences = readFileSync(join(root, file), "utf8").split(find).length - 1;
      expect([file, find, occurrences]).toEqual([file, find, 1]);
    }
  },
);
