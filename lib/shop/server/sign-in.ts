/**
 * The demo shop's own sign-in, independent of the chat. The customers are invented, and anyone may sign in as
 * any of them, so the cookie is neither sealed nor signed. A real shop uses its own session here.
 */
import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { customers, type DemoCustomer } from "../orders.ts";

export const sessionCookie = { name: "shop_session", seconds: 30 * 24 * 60 * 60 };
const tokenBytes = 16;

/** The key on `globalThis`, because Next loads separate module instances for its pages and its routes. */
const key = Symbol.for("shop.ended-sessions");
const shared: typeof globalThis & { [key]?: LRUCache<string, true> } = globalThis;
shared[key] ??= new LRUCache({ max: 10_000 });
/** Sessions signed out in this process. Other tabs' streams, opened with a valid cookie, end with them. */
const ended = shared[key];

/** The signed-in customer; null for a guest. */
export function customerOf(request: Request): DemoCustomer | null {
  const pairs = (request.headers.get("cookie") ?? "").split(/; */);
  const pair = pairs.find((pair) => pair.startsWith(`${sessionCookie.name}=`));
  return customerOfSession(pair?.slice(sessionCookie.name.length + 1));
}

/** The customer whom the cookie's value signs in; null for a guest. */
export function customerOfSession(session: string | undefined): DemoCustomer | null {
  if (session === undefined || ended.has(session)) return null;
  const [customerId] = session.split("~");
  return customers.find(({ id }) => id === customerId) ?? null;
}

/** The cookie's value that signs this customer in; undefined for an unknown customer. */
export function startSession(customerId: unknown): string | undefined {
  const customer = customers.find(({ id }) => id === customerId);
  return customer && `${customer.id}~${randomBytes(tokenBytes).toString("base64url")}`;
}

export function endSession(session: string): void {
  ended.set(session, true);
}
