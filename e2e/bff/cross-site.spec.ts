/** Cross-site requests from a real browser with the victim's session. */
import { createServer, type Server } from "node:http";
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { listenLocally } from "../../testing/local-server.ts";
import { aPicture } from "../support/attachments.ts";
import { call, startChat, test, uploadFile } from "./shop-page.ts";

// A browser treats localhost and 127.0.0.1 as two sites, and two ports of localhost as two origins of one
// site.
let evil: Server;
let evilPort = 0;
test.beforeAll(async () => {
  evil = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>evil</title><body></body>");
  });
  evilPort = await listenLocally(evil);
});
test.afterAll(() => new Promise<void>((resolve) => void evil.close(() => resolve())));

async function cookiesOf(context: BrowserContext, origin: string) {
  return (await context.cookies(origin)).filter(({ name }) => name.includes("chat"));
}

for (const [kind, host] of [
  ["another site", "127.0.0.1"],
  ["a sister origin", "localhost"],
] as const) {
  test(`${kind} can neither read nor write with the customer's session`, async ({
    page,
    context,
    origin,
  }) => {
    const chatId = await startChat(page, origin);
    const before = await cookiesOf(context, origin);
    // The session and the name of the latest chat.
    expect(before).toHaveLength(2);

    const attacker = await context.newPage();
    await attacker.goto(`http://${host}:${evilPort}/`);
    const outcomes = await attacker.evaluate(
      async ({ target, id }) => {
        const read = async (path: string, init: RequestInit) => {
          try {
            const response = await fetch(target + path, { credentials: "include", ...init });
            return response.type === "opaque" ? "opaque" : String(response.status);
          } catch {
            return "blocked";
          }
        };
        const text = JSON.stringify({ text: "from elsewhere" });
        return Promise.all([
          read(`/api/chat/chats/${id}/messages`, {}),
          read(`/api/chat/chats/${id}/messages`, { mode: "no-cors" }),
          read(`/api/chat/chats/${id}/messages`, { method: "POST", mode: "no-cors", body: text }),
          read(`/api/chat/chats/${id}/messages`, {
            method: "POST",
            body: text,
            headers: {
              "content-type": "application/json",
              "x-chat-client": "1",
              "idempotency-key": "evil-key-1",
            },
          }),
          read("/api/chat/session", { method: "POST", mode: "no-cors", body: "{}" }),
          read("/api/shop/orders", {}),
        ]);
      },
      { target: origin, id: chatId },
    );
    expect(outcomes.every((outcome) => outcome === "blocked" || outcome === "opaque")).toBe(true);

    expect(await call(page, `/api/chat/chats/${chatId}/messages`)).toMatchObject({ items: [] });
    expect(await cookiesOf(context, origin)).toEqual(before);
  });
}

test("blocks pages of other sites from framing or loading our resources", async ({
  page,
  context,
  origin,
}) => {
  const picture = await uploadFile(page, await startChat(page, origin), aPicture());
  const attacker = await context.newPage();
  await attacker.goto(`http://127.0.0.1:${evilPort}/`);
  type Part = readonly [tag: "img" | "script" | "object", address: string];
  const load = (from: Page, parts: readonly Part[]) =>
    from.evaluate(
      (all) =>
        Promise.all(
          all.map(([tag, address]) => {
            const element = document.createElement(tag);
            element.setAttribute(tag === "object" ? "data" : "src", address);
            document.body.append(element);
            return new Promise<string>((resolve) => {
              element.addEventListener("load", () => resolve("loaded"));
              element.addEventListener("error", () => resolve("refused"));
            });
          }),
        ),
      parts,
    );
  const pictures = [
    ["img", origin + picture],
    ["img", `${origin}/icon.svg`],
  ] as const;
  // The customer's own page shows both pictures.
  expect(await load(page, pictures)).toEqual(["loaded", "loaded"]);
  const others = [
    ["script", origin + picture],
    ["object", origin + picture],
  ] as const;
  const refusals = await load(attacker, [...pictures, ...others]);
  expect(refusals).toEqual(["refused", "refused", "refused", "refused"]);

  const errors: string[] = [];
  attacker.on("console", (message) => errors.push(message.text()));
  await attacker.evaluate((target) => {
    const frame = document.createElement("iframe");
    frame.src = target;
    document.body.append(frame);
  }, origin);
  await expect.poll(() => errors.join(" ")).toContain("frame-ancestors");

  const popup = context.waitForEvent("page");
  await attacker.evaluate((target) => void window.open(target), origin);
  const opened = await popup;
  await opened.waitForLoadState();
  expect(await opened.evaluate(() => window.opener)).toBeNull();
});

test("redirects a page opened at 127.0.0.1 to the shop's origin", async ({ page, origin }) => {
  await page.goto(`${origin.replace("localhost", "127.0.0.1")}/help?topic=1`);
  expect(page.url()).toBe(`${origin}/help?topic=1`);
});
