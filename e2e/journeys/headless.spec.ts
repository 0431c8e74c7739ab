/** The interface of docs/headless.md on the engine without the widget. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { rolldown } from "rolldown";
import { expect, test } from "../support/chat-page.ts";
import { testOwnInterface } from "../support/own-interface.ts";

const source = "examples/headless/chat.ts";

/** Bundled once in each worker, with its parts that load on use in the same file. */
let bundled: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const made = await rolldown({
    input: source,
    resolve: { alias: { "shop-chat/headless": `${process.cwd()}/lib/engine/headless.ts` } },
  });
  const { output } = await made.generate({ format: "esm", codeSplitting: false });
  return output[0].code;
}

async function openInterface(page: Page): Promise<void> {
  bundled ??= bundle();
  const code = await bundled;
  await page.route("**/own-interface.js", (route) =>
    route.fulfill({ contentType: "text/javascript; charset=utf-8", body: code }),
  );
  await page.route("**/own-interface", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      body: '<!doctype html><html lang="en"><title>A shop</title><script type="module" src="/own-interface.js"></script>',
    }),
  );
  await page.goto("/own-interface");
}

test("has at most 60 lines", () => {
  const lines = readFileSync(source, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThanOrEqual(60);
});

test.describe("the interface of the document", { tag: "@ours" }, () => testOwnInterface(openInterface));
