import { expect, test } from "vitest";
import { findFolderCycles } from "./folder-cycles.ts";

test("finds two folders that import each other, at any depth", () => {
  const imports = [
    { from: "app/cart/deep/a.ts", to: "app/orders/b.ts" },
    { from: "app/orders/c.ts", to: "app/cart/d.ts" },
    { from: "app/cart/d.ts", to: "app/price.ts" },
  ];
  expect(findFolderCycles(imports)).toEqual(["app/cart -> app/orders -> app/cart"]);
});

test("finds a cycle through three folders, and not the folders beside it", () => {
  const imports = [
    { from: "a/x.ts", to: "b/x.ts" },
    { from: "b/y.ts", to: "c/x.ts" },
    { from: "c/y.ts", to: "a/y.ts" },
    { from: "c/y.ts", to: "d/y.ts" },
  ];
  expect(findFolderCycles(imports)).toEqual(["a -> b -> c -> a"]);
});

test("allows a file above a folder and one below it", () => {
  const imports = [
    { from: "channel/main.ts", to: "channel/chats/chat.ts" },
    { from: "channel/chats/chat.ts", to: "channel/limits.ts" },
    { from: "channel/chats/list.ts", to: "channel/chats/chat.ts" },
  ];
  expect(findFolderCycles(imports)).toEqual([]);
});
