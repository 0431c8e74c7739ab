/** Attacks on the BFF that need a real browser: downloaded scripts, connection limits, and the console. */
import { expect } from "@playwright/test";
import { heldReply, lab } from "../support/lab.ts";
import { call, headers, smallPage, startChat, test, uploadFile } from "./shop-page.ts";

test("downloads a file with a script and never runs it", async ({ page, context, origin }) => {
  const chatId = await startChat(page, origin);
  const script = "<!doctype html><title>ran</title><script>localStorage.setItem('ran', 'yes')</script>";
  const file = { name: "invoice.html", mimeType: "text/plain", buffer: Buffer.from(script) };
  const path = await uploadFile(page, chatId, file);

  // The customer follows a link of the shop, then types the address into another tab.
  const byLink = page.waitForEvent("download");
  await page.evaluate((href) => Object.assign(document.createElement("a"), { href }).click(), path);
  expect((await byLink).suggestedFilename()).toBe("invoice.html.txt");
  const typed = await context.newPage();
  const byAddress = typed.waitForEvent("download");
  await expect(typed.goto(origin + path)).rejects.toThrow("Download is starting");
  await (await byAddress).path();
  expect(typed.url()).toBe("about:blank");

  // The shop's policy blocks all frames.
  const blocked = await page.evaluate(
    (src) =>
      new Promise<string>((resolve) => {
        document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
        document.documentElement.append(Object.assign(document.createElement("iframe"), { src }));
      }),
    path,
  );
  expect(blocked).toBe("frame-src");
  expect(await page.evaluate(() => localStorage.getItem("ran"))).toBeNull();
});

test("sends a message beside streams in seven tabs and six HTTP/1.1 connections", async ({
  page,
  context,
  origin,
}) => {
  const slow = await startChat(page, origin);
  const { item: other } = await call(page, "/api/chat/chats", {});
  await lab.reply(slow, heldReply());

  const tabs = [page, ...(await Promise.all(Array.from({ length: 6 }, () => context.newPage())))];
  await Promise.all(tabs.slice(1).map((tab) => tab.goto(origin + smallPage)));
  let refusals = 0;
  let ended = 0;
  const streams = tabs.map(async (tab) => {
    const status = await tab.evaluate(
      async ({ path, headers }) => {
        const response = await fetch(path, {
          method: "POST",
          body: '{"text":"tell me"}',
          headers: { ...headers, accept: "text/event-stream", "idempotency-key": "one-turn-seven-tabs" },
        });
        await response.text();
        return response.status;
      },
      { path: `/api/chat/chats/${slow}/messages`, headers },
    );
    if (status === 429) refusals += 1;
    else ended += 1;
    return status;
  });
  await call(tabs.at(-1) ?? page, `/api/chat/chats/${other.id}/messages`, { text: "hello" });
  await expect.poll(() => refusals).toBe(4);
  expect(ended).toBe(0);
  await lab.continueReply(slow);
  expect((await Promise.all(streams)).toSorted()).toEqual([200, 200, 201, 429, 429, 429, 429]);
});

test("logs nothing and violates no policy on the main pages without a session", async ({ page, origin }) => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    // The shop lists a product whose picture does not exist.
    if (!message.location().url.endsWith("/enamel-mug-photo-lost.svg"))
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  for (const path of ["/", "/account", "/products", "/help"]) {
    await page.goto(origin + path);
    await expect(page.locator("[aria-busy=true]"), path).toHaveCount(0);
    // The speed of the machine decides how many pictures below the window load by themselves.
    await expect.poll(() => page.evaluate(loadAllPictures), path).toBe(0);
  }
  expect(complaints).toEqual([]);
});

/** Returns how many are still loading. */
function loadAllPictures(): number {
  for (const picture of document.images) picture.loading = "eager";
  return Array.from(document.images).filter(({ complete }) => !complete).length;
}
