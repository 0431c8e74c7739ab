/** The customer named by the host's sign-in, and the customer's `userId` in the Chat API. */
import { hash } from "node:crypto";
import { newUserIdPattern } from "../../chat-api/patterns.ts";

export interface Customer {
  /** The host's ID for this customer: any text. It must be the same on every device and never change. */
  id: string;
  /** The name that the chat may use. */
  name: string;
}

export interface SignIn extends Customer {
  /**
   * Milliseconds since 1970, such as the end of a token: until then all requests with the same `Cookie` and
   * `Authorization` headers are this customer's, so the host is asked again after ten minutes at most. Not
   * for a sign-in that the host may end earlier, or that depends on anything else, such as another header.
   */
  until?: number | undefined;
}

/**
 * The host's sign-in: the customer of this request, or null for a guest. It is called on each request whose
 * route needs the caller (not for health checks, metrics and the widget's script), and again at most once a
 * second while a reply is streamed, so it must decide by the request's content (a cookie, a token). `until`
 * spares these calls.
 */
export type CustomerOf = (request: Request) => Promise<SignIn | null> | SignIn | null;

/**
 * The host's own check of a new guest, such as a bot check: false refuses the guest. It is called when a
 * caller who is not signed in and has no session asks for one, before the limits of new guests.
 */
export type AdmitGuest = (request: Request) => Promise<boolean> | boolean;

/**
 * The fate of a guest's chats when a customer signs in on the same browser. `leave`: nobody sees them again.
 * `follow`: this customer reads and continues them on this browser for a week at most, or until a guest opens
 * the chat after sign-out.
 */
export type GuestChats = "leave" | "follow";

/**
 * Depends on the customer ID alone, so that the customer finds the same chats on every device: `cust.` and
 * the ID if the Chat API accepts that (8 to 128 characters of `A-Z a-z 0-9 . _ : -`); else `cust64.` and the
 * ID's UTF-8 in base64url; else, for an ID of more than about 90 bytes or with lone surrogates, `cust256.`
 * and the SHA-256 of its UTF-16 in base64url. No two IDs share a `userId`, because each form has its own
 * prefix. A guest's `userId` has no dot.
 */
export function userIdOfCustomer(customerId: string): string {
  const bytes = Buffer.from(customerId, "utf8");
  const encoded = customerId.isWellFormed() ? [`cust64.${bytes.toString("base64url")}`] : [];
  const fitting = [`cust.${customerId}`, ...encoded].find((userId) => newUserIdPattern.test(userId));
  // UTF-8 cannot encode lone surrogates, so the digest is of UTF-16.
  const digest = () => hash("sha256", Buffer.from(customerId, "utf16le"), "base64url");
  return fitting ?? `cust256.${digest()}`;
}
