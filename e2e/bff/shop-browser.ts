/** Sends the requests of the shop's pages without a browser, to test the server's responses. */
import { randomUUID } from "node:crypto";

export const pageHeaders = { "sec-fetch-site": "same-origin", "x-chat-client": "1" };

export type ShopCaller = Awaited<ReturnType<typeof startSession>>;

export async function startSession(origin: string) {
  const send = (
    cookie: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) =>
    fetch(origin + path, {
      method,
      headers: {
        ...pageHeaders,
        origin,
        cookie,
        ...(body === undefined
          ? {}
          : { "content-type": "application/json", "idempotency-key": randomUUID() }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const started = await send("", "POST", "/api/chat/session", {});
  if (!started.ok) throw new Error(`No session: ${started.status}`);
  const [setCookie = ""] = started.headers.getSetCookie();
  const cookie = setCookie.split(";", 1).join("");
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    send(cookie, method, path, body, headers);
  return {
    cookie,
    call,
    /** Creates a chat of this customer. */
    async newChat(): Promise<string> {
      const created = await call("POST", "/api/chat/chats", {});
      if (created.status !== 201) throw new Error(`No chat: ${created.status} ${await created.text()}`);
      const { item } = await created.json();
      return item.id;
    },
  };
}
