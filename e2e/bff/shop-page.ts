/** Sends requests to the BFF from a page of the shop, in a real browser. */
import type { Page } from "@playwright/test";
import { test as base } from "@playwright/test";
import type { aPicture } from "../support/attachments.ts";

export const headers = { "x-chat-client": "1", "content-type": "application/json" };

/** A page of the shop that loads little. */
export const smallPage = "/about";

export async function call<T = { item: { id: string } }>(
  page: Page,
  path: string,
  body?: object,
): Promise<T> {
  return page.evaluate(
    async ({ path, body, headers }) => {
      const response = await fetch(path, {
        headers: { ...headers, "idempotency-key": crypto.randomUUID() },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    { path, body, headers },
  );
}

/** Opens a page of the shop as a new customer and starts a chat. Resolves with its ID. */
export async function startChat(page: Page, origin: string): Promise<string> {
  await page.goto(origin + smallPage);
  await call(page, "/api/chat/session", {});
  return (await call(page, "/api/chat/chats", {})).item.id;
}

/** Resolves with the uploaded file's path. */
export async function uploadFile(
  page: Page,
  chatId: string,
  { name, mimeType, buffer }: ReturnType<typeof aPicture>,
): Promise<string> {
  const path = `/api/chat/chats/${chatId}/files`;
  const id = await page.evaluate(
    async ({ path, name, type, bytes }) => {
      const form = new FormData();
      form.append("file", new File([new Uint8Array(bytes)], name, { type }));
      const headers = { "x-chat-client": "1", "idempotency-key": crypto.randomUUID() };
      const response = await fetch(path, { method: "POST", body: form, headers });
      return (await response.json()).item.id;
    },
    { path, name, type: mimeType, bytes: [...buffer] },
  );
  return `${path}/${id}`;
}

export const test = base.extend<{ origin: string }>({
  origin: async ({ baseURL }, use) => {
    if (baseURL === undefined) throw new Error("The project has no baseURL");
    await use(baseURL);
  },
});
