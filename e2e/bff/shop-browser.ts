/** Calls of the shop's pages, made without a browser: for what the server answers, whoever asks. */
import { randomUUID } from "node:crypto";

export const pageHeaders = { "sec-fetch-site": "same-origin", "x-chat-client": "1" };

export interface ShopCaller {
  cookie: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** A chat of this customer's. */
  newChat(): Promise<string>;
}

export async function startSession(origin: string, customerId?: string): Promise<ShopCaller> {
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
  const started = await send("", "POST", "/api/session", customerId === undefined ? {} : { customerId });
  if (!started.ok) throw new Error(`No session: ${started.status}`);
  const [setCookie = ""] = started.headers.getSetCookie();
  const cookie = setCookie.split(";", 1).join("");
  const call: ShopCaller["call"] = (method, path, body, headers) => send(cookie, method, path, body, headers);
  return {
    cookie,
    call,
    async newChat() {
      const created = await call("POST", "/api/chats", {});
      if (created.status !== 201) throw new Error(`No chat: ${created.status}`);
      const { item } = await created.json();
      return item.id;
    },
  };
}
