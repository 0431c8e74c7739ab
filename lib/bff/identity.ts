/**
 * Who the customer is: the seam that an integrator replaces. The demo shop has four invented customers who sign in
 * by being chosen; a real shop recognises its own customer from the request (its own session cookie, a token).
 */
import { randomBytes } from "node:crypto";
import { newUserIdPattern } from "#lib/chat-api/patterns.ts";
import orders from "#lib/shop/orders.json" with { type: "json" };

/** What the pages may know of a signed-in customer. */
export interface Customer {
  id: string;
  name: string;
}

/** The form of every `userId` that this file makes. The Chat API demands it of a caller's own IDs. */
export const userIdPattern = newUserIdPattern;

const customerPrefix = "cust.";
const guestIdBytes = 16;

/**
 * The `userId` of a signed-in customer's chats. One function of the customer ID alone, so that the customer finds the
 * same chats on every device; the agent recognises the form too (it is how an order is known to be the customer's).
 */
export function userIdOfCustomer(customerId: string): string {
  return `${customerPrefix}${customerId}`;
}

/** A customer who has not signed in: random, and without a dot, so that it can never be a customer's. */
export function newGuestUserId(): string {
  return randomBytes(guestIdBytes).toString("base64url");
}

/** The signed-in customer behind a session, or undefined for a guest. */
export function customerOfUserId(userId: string): Customer | undefined {
  return userId.startsWith(customerPrefix) ? findCustomer(userId.slice(customerPrefix.length)) : undefined;
}

/**
 * The customer who asks to be signed in, or undefined when the claim does not hold.
 *
 * The demo believes the claim: its customers are invented and their orders are public. A shop must not: ignore
 * `claimedCustomerId` and return the customer whom your own sign-in proves in `request`.
 */
export async function authenticate(
  _request: Request,
  claimedCustomerId: string,
): Promise<Customer | undefined> {
  return findCustomer(claimedCustomerId);
}

function findCustomer(customerId: string): Customer | undefined {
  const customer = orders.customers.find(({ id }) => id === customerId);
  return customer && { id: customer.id, name: customer.name };
}
