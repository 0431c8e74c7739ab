/** Requests from the shop's pages to its own server. */
import type { Order } from "#lib/chat-client/public.ts";

/** The server rejected the request or did not respond. The customer sees the message. */
export class ShopApiError extends Error {
  override name = "ShopApiError";
}

interface SignedIn {
  id: string;
  name: string;
}

export const sessionPath = "/api/shop/session";
export const ordersPath = "/api/shop/orders";

/** The signed-in customer; null for a guest. */
export async function readCustomer(): Promise<SignedIn | null> {
  const { customer } = await call<{ customer: SignedIn | null }>("GET", sessionPath);
  return customer;
}

export async function signIn(customerId: string): Promise<void> {
  await call("POST", sessionPath, { customerId });
  tellChat();
}

export async function signOut(): Promise<void> {
  await call("DELETE", sessionPath);
  tellChat();
}

export async function listOrders(): Promise<Order[]> {
  const { items } = await call<{ items: Order[] }>("GET", ordersPath);
  return items;
}

/**
 * Tells the chat that the customer has signed in or out. Without this event the chat would notice with its
 * next response, or when this page comes to the front.
 */
function tellChat(): void {
  window.dispatchEvent(new Event("shop-chat:session"));
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body ? JSON.stringify(body) : null,
    });
  } catch (cause) {
    throw new ShopApiError("The shop could not be reached. Check your connection and try again.", { cause });
  }
  // The shop's own server has validated its responses.
  const json = response.status === 204 ? {} : await response.json().catch(() => ({}));
  if (!response.ok) throw new ShopApiError(json.error?.message ?? "Something went wrong. Please try again.");
  return json as T;
}
