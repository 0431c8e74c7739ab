/** The shop's orders: the signed-in customer's own, and a look-up by reference and e-mail. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { callerAddressOf } from "#lib/bff/next.ts";
import { findOrder as findShopOrder, ordersOf } from "../orders.ts";
import { readObject, ShopRefusal, shopRoute } from "./shop-request.ts";
import { customerOf } from "./sign-in.ts";

/** The signed-in customer's orders; a guest has none. */
export const listOrders = shopRoute(async (request) => {
  const customer = customerOf(request);
  return Response.json({ items: customer === null ? [] : ordersOf(customer.id) });
});

const longest = { reference: 64, email: 254 };

/** An unknown reference and another customer's order get the same response, so guessing reveals nothing. */
export const findOrder = shopRoute(async (request) => {
  const { reference, email } = await readObject(request);
  if (typeof reference !== "string" || reference.length > longest.reference)
    throw new ShopRefusal(400, "invalid_request", "The reference is missing or too long.");
  if (typeof email !== "string" || email.length > longest.email)
    throw new ShopRefusal(400, "invalid_request", "The e-mail address is missing or too long.");
  await countGuess(request, reference.trim().toUpperCase(), email.trim().toLowerCase());
  const order = findShopOrder(reference, email);
  if (order === undefined)
    throw new ShopRefusal(404, "not_found", "No order has this reference and e-mail address.");
  return Response.json({ item: order });
});

/**
 * Guesses are counted by target: a person looks up few orders, and a program that tries addresses with one
 * reference is slowed down wherever it runs. They are also counted by caller, because a program may change
 * both with every guess.
 */
const perTarget = new RateLimiterMemory({ points: 10, duration: 60 });
const perCaller = new RateLimiterMemory({ points: 20, duration: 60 });
/** The shared limit of all callers with an unknown address. */
const perUnknown = new RateLimiterMemory({ points: 120, duration: 60 });

async function countGuess(request: Request, reference: string, email: string): Promise<void> {
  const address = callerAddressOf(request);
  try {
    await (address === undefined ? perUnknown.consume("unknown") : perCaller.consume(address));
    await perTarget.consume(`reference ${reference}`);
    await perTarget.consume(`email ${email}`);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new ShopRefusal(429, "rate_limited", "That was a lot of tries. Please wait a minute.");
  }
}
