/** Hostile cases A, 13 to 19, and G, 151, as a real browser with the victim's session commits them. */
import { createServer, type Server } from "node:http";
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { test } from "./shop-test.ts";

// localhost and 127.0.0.1 are two sites to a browser, two ports of localhost two origins of one site.
let evil: Server;
let evilPort = 0;
test.beforeAll(async () => {
  evil = createServer((_, answer) => {
    answer.setHeader("content-type", "text/html");
    answer.end("<!doctype html><title>evil</title><body></body>");
  });
  await new Promise<void>((resolve) => evil.listen(0, resolve));
  const address = evil.address();
  evilPort = typeof address === "object" && address !== null ? address.port : 0;
});
test.afterAll(() => new Promise<void>((resolve) => void evil.close(() => resolve())));

/** A customer of the shop with a session and one chat. */
async function victim(page: Page, origin: string): Promise<string> {
  await page.goto(origin);
  return page.evaluate(async () => {
    const headers = {
      "x-chat-client": "1",
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    };
    await fetch("/api/session", { method: "POST", headers, body: "{}" });
    const created = await fetch("/api/chats", { method: "POST", headers, body: "{}" });
    return (await created.json()).item.id;
  });
}

async function messagesOf(page: Page, chatId: string): Promise<unknown[]> {
  return page.evaluate(async (id) => {
    const listed = await fetch(`/api/chats/${id}/messages`, { headers: { "x-chat-client": "1" } });
    return (await listed.json()).items;
  }, chatId);
}

async function cookiesOf(context: BrowserContext, origin: string) {
  return (await context.cookies(origin)).filter(({ name }) => name.includes("chat"));
}

for (const [kind, host] of [
  ["another site", "127.0.0.1"],
  ["a sister origin", "localhost"],
] as const) {
  test(`#13 #14 #15 ${kind} changes nothing and reads nothing with the customer's session`, async ({
    page,
    context,
    origin,
  }) => {
    const chatId = await victim(page, origin);
    const before = await cookiesOf(context, origin);
    expect(before).toHaveLength(1);

    const attacker = await context.newPage();
    await attacker.goto(`http://${host}:${evilPort}/`);
    const outcomes = await attacker.evaluate(
      async ({ target, id }) => {
        const read = async (path: string, init: RequestInit) => {
          try {
            const answer = await fetch(target + path, { credentials: "include", ...init });
            return answer.type === "opaque" ? "opaque" : String(answer.status);
          } catch {
            return "blocked";
          }
        };
        const text = JSON.stringify({ text: "from elsewhere" });
        return Promise.all([
          read(`/api/chats/${id}/messages`, {}),
          read(`/api/chats/${id}/messages`, { mode: "no-cors" }),
          read(`/api/chats/${id}/messages`, { method: "POST", mode: "no-cors", body: text }),
          read(`/api/chats/${id}/messages`, {
            method: "POST",
            body: text,
            headers: {
              "content-type": "application/json",
              "x-chat-client": "1",
              "idempotency-key": "evil-key-1",
            },
          }),
          read("/api/session", { method: "POST", mode: "no-cors", body: "{}" }),
          read("/api/session", { method: "DELETE" }),
        ]);
      },
      { target: origin, id: chatId },
    );
    expect(outcomes.every((outcome) => outcome === "blocked" || outcome === "opaque")).toBe(true);

    for (const enctype of ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]) {
      const form = await context.newPage();
      await form.goto(`http://${host}:${evilPort}/`);
      const answered = form.waitForResponse((response) => response.url().endsWith("/messages"));
      await form.evaluate(
        ({ action, type }) => {
          const form = document.createElement("form");
          Object.assign(form, { method: "POST", action, enctype: type });
          const field = document.createElement("input");
          Object.assign(field, { name: '{"text":"from elsewhere","x":"', value: '"}' });
          form.append(field);
          document.body.append(form);
          form.submit();
        },
        { action: `${origin}/api/chats/${chatId}/messages`, type: enctype },
      );
      expect((await answered).status(), enctype).toBe(403);
    }
    expect(await messagesOf(page, chatId)).toEqual([]);
    expect(await cookiesOf(context, origin)).toEqual(before);
  });
}

test("#19 #151 no page of another site shows, frames or loads anything of ours", async ({
  page,
  context,
  origin,
}) => {
  const chatId = await victim(page, origin);
  const attacker = await context.newPage();
  await attacker.goto(`http://127.0.0.1:${evilPort}/`);
  const loaded = await attacker.evaluate(
    async ({ target, id }) => {
      const load = (tag: "img" | "script" | "iframe" | "object", path: string) =>
        new Promise<string>((resolve) => {
          const element = document.createElement(tag);
          element.addEventListener("load", () => {
            // A frame reports that it has loaded the browser's own page about the refusal, too.
            const frame = element instanceof HTMLIFrameElement ? element.contentDocument : undefined;
            resolve(frame === null ? "another origin" : "loaded");
          });
          element.addEventListener("error", () => resolve("refused"));
          element.setAttribute(tag === "object" ? "data" : "src", target + path);
          document.body.append(element);
          setTimeout(() => resolve("refused"), 3_000);
        });
      const file = `/api/chats/${id}/files/file_0001`;
      return Promise.all([
        load("img", file),
        load("script", file),
        load("object", file),
        load("img", "/icon.svg"),
      ]);
    },
    { target: origin, id: chatId },
  );
  expect(loaded).toEqual(["refused", "refused", "refused", "refused"]);

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

test("#159 a page that was opened at 127.0.0.1 is told where the shop is", async ({ page, origin }) => {
  await page.goto(origin.replace("localhost", "127.0.0.1"));
  const error = await page.evaluate(async () => {
    const headers = { "x-chat-client": "1", "content-type": "application/json" };
    const answer = await fetch("/api/session", { method: "POST", headers, body: "{}" });
    return { status: answer.status, ...(await answer.json()).error };
  });
  expect(error).toMatchObject({ status: 403, code: "request_not_allowed" });
  expect(error.message).toContain(origin);
});
