import { expect, test, vi } from "vitest";
import { callerHeader } from "../../chat-api/headers.ts";
import { inertSession } from "../testing/inert-session.ts";
import { createBrowserClient } from "./browser-client.ts";
import { type NamedCustomer, ownerOf, type Session } from "./session.ts";

const guest: NamedCustomer = { tag: "tag-of-a-guest", isGuest: true };
const ada: NamedCustomer = { tag: "tag-of-42", isGuest: false };

interface Sent {
  address: string;
  caller: string | null;
}

/** A page that knows the customer as `known`; the server knows them as `actual`. */
function aPage(known: NamedCustomer, actual: NamedCustomer) {
  const requests: Sent[] = [];
  let customer = known;
  let starts = 0;
  const session: Session = {
    ...inertSession,
    api: "/support",
    customer: () => customer,
    async start() {
      starts += 1;
      customer = actual;
      return actual;
    },
  };
  const client = createBrowserClient({
    session,
    owner: ownerOf(known),
    async send(address, init) {
      const claimed = new Headers(init.headers).get(callerHeader);
      requests.push({ address, caller: claimed });
      const headers = { [callerHeader]: actual.tag };
      if (init.method === "POST" && claimed !== actual.tag)
        return Response.json({ error: { code: "session_required", message: "" } }, { status: 401, headers });
      return Response.json({ items: [], nextCursor: null }, { headers });
    },
  });
  return { client, requests, starts: () => starts };
}

const create = (client: ReturnType<typeof aPage>["client"]) =>
  client.createChat({}, { idempotencyKey: "key-12345" });

test("sends requests below the base path with the customer's name", async () => {
  const { client, requests, starts } = aPage(guest, guest);
  await client.listMessages("chat_0001", {});
  expect(requests).toEqual([{ address: "/support/chats/chat_0001/messages", caller: guest.tag }]);
  expect(starts()).toBe(0);
});

test("does not send one customer's message in another's name", async () => {
  const { client, requests, starts } = aPage(guest, ada);
  await expect(create(client)).rejects.toThrow();
  expect(requests.map(({ caller }) => caller)).toEqual([guest.tag]);
  expect(starts()).toBe(1);
  await expect(create(client)).rejects.toThrow();
  expect(requests).toHaveLength(1);
});

test("starts a new guest session after a lost cookie and repeats the request", async () => {
  const { client, requests } = aPage(guest, { ...guest, tag: "tag-of-a-new-guest" });
  await create(client).catch(() => undefined);
  expect(requests.map(({ caller }) => caller)).toEqual([guest.tag, "tag-of-a-new-guest"]);
});

test("sends a write once, because the outbox decides about repetitions", async () => {
  let count = 0;
  const send = async () => {
    count += 1;
    return Response.json({ error: { code: "internal_error" } }, { status: 500 });
  };
  const client = createBrowserClient({ session: inertSession, owner: "guest", send });
  await expect(create(client)).rejects.toMatchObject({ code: "internal_error" });
  expect(count).toBe(1);
});

test("holds a request back while a session starts", async () => {
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  let count = 0;
  const send = async () => {
    count += 1;
    return Response.json({ items: [], nextCursor: null });
  };
  const session = { ...inertSession, settled: () => settled };
  const listed = createBrowserClient({ session, owner: "guest", send }).listMessages("chat_0001", {});
  await new Promise(setImmediate);
  expect(count).toBe(0);
  settle();
  await listed;
  expect(count).toBe(1);
});

test("repeats no read once the chat has closed", async () => {
  const send = vi.fn(() => Promise.reject(new TypeError("fetch failed")));
  const options = { session: inertSession, owner: "guest", send, signal: AbortSignal.abort() };
  await expect(createBrowserClient(options).getChat("chat_0001")).rejects.toThrow();
  expect(send).toHaveBeenCalledOnce();
});
