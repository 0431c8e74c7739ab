import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../scripts/root.ts";
import { mutations } from "./mutations.ts";

test.each(Object.entries(mutations))(
  "%s matches each of its source lines exactly once",
  (_, { rewrites }) => {
    for (const { file, find } of rewrites) {
      const occurrences = readFileSync(join(root, file), "utf8").split(find).length - 1;
      expect([file, find, occurrences]).toEqual([file, find, 1]);
    }
  },
);
