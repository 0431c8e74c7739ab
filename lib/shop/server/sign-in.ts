/**
 * The demo shop's own sign-in, independent of the chat. The customers are invented, and anyone may sign in as
 * any of them, so the cookie is neither sealed nor signed. A real shop uses its own session here.
 */
import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { customers, type DemoCustomer } from "../orders.ts";

const cookieName = "shop_session";
const tokenBytes = 16;
const maxAgeSeconds = 30 * 24 * 60 * 60;

/** Sessions signed out in this process. Other tabs' streams, opened with a valid cookie, end with them. */
const ended = new LRUCache<string, true>({ max: 10_000 });

/** The signed-in customer; null for a guest. */
export function customerOf(request: Request): DemoCustomer | null {
  const session = sessionOf(request);
  if (session === undefined || ended.has(session)) return null;
  const [customerId] = session.split("~");
  return customers.find(({ id }) => id === customerId) ?? null;
}

/** The `Set-Cookie` value that signs this customer in; undefined for an unknown customer. */
export function signIn(request: Request, customerId: string): string | undefined {
  if (!customers.some(({ id }) => id === customerId)) return undefined;
  forget(request);
  return setCookie(request, `${customerId}~${randomBytes(tokenBytes).toString("base64url")}`, maxAgeSeconds);
}

export function signOut(request: Request): string {
  forget(request);
  return setCookie(request, "", 0);
}

function forget(request: Request): void {
  const session = sessionOf(request);
  if (session !== undefined) ended.set(session, true);
}

function sessionOf(request: Request): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split(/; */);
  return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
}

/** `Secure` follows the page's origin, because a proxy may have terminated TLS. */
function setCookie(request: Request, value: string, seconds: number): string {
  const secure = request.headers.get("origin")?.startsWith("https:") ? "; Secure" : "";
  return `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
