/** Calls of the shop's pages to their own server. */
import type { ShopOrder } from "#lib/shop/orders.ts";

/** Refused, or not answered (`code` undefined). The message is for people. */
export class ShopApiError extends Error {
  readonly code: string | undefined;

  constructor(message: string, code?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ShopApiError";
    this.code = code;
  }
}

export interface SignedIn {
  id: string;
  name: string;
}

interface SessionItem {
  customer: SignedIn | null;
}

export const sessionPath = "/api/session";
export const ordersPath = "/api/orders";

/** The signed-in customer; null for a guest and without a session. */
export async function readCustomer(): Promise<SignedIn | null> {
  const { item } = await call<{ item: SessionItem | null }>("GET", sessionPath);
  return item?.customer ?? null;
}

export async function signIn(customerId: string): Promise<void> {
  await call("POST", sessionPath, { customerId });
  tellChat();
}

export async function signOut(): Promise<void> {
  await call("DELETE", sessionPath);
  tellChat();
}

export async function listOrders(): Promise<ShopOrder[]> {
  const { items } = await call<{ items: ShopOrder[] }>("GET", ordersPath);
  return items;
}

/** @throws ShopApiError `not_found` for an unknown reference and for another customer's. */
export async function findOrder(reference: string, email: string): Promise<ShopOrder> {
  // The limit on guesses counts by session, so there must be one.
  await call("POST", sessionPath, {});
  const { item } = await call<{ item: ShopOrder }>("POST", `${ordersPath}/find`, { reference, email });
  return item;
}

/** The chat shows each customer their own chats (components/chat/runtime/use-owner.ts). */
function tellChat(): void {
  window.dispatchEvent(new Event("shop-chat:session"));
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: { "X-Chat-Client": "1", ...(body ? { "Content-Type": "application/json" } : {}) },
      body: body ? JSON.stringify(body) : null,
    });
  } catch (cause) {
    throw new ShopApiError("The shop could not be reached. Check your connection and try again.", undefined, {
      cause,
    });
  }
  // Our own server's answers, which it has validated.
  const answer = response.status === 204 ? {} : await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new ShopApiError(
      answer.error?.message ?? "Something went wrong. Please try again.",
      answer.error?.code,
    );
  }
  return answer as T;
}
