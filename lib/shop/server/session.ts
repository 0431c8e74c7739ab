/** The demo shop's sign-in: `GET` returns the customer, `POST` signs in, `DELETE` signs out. */
import { readObject, ShopRefusal, shopRoute } from "./shop-request.ts";
import { customerOf, signIn, signOut } from "./sign-in.ts";

export const readSession = shopRoute(async (request) => {
  const customer = customerOf(request);
  return Response.json({ customer: customer === null ? null : { id: customer.id, name: customer.name } });
});

export const startSession = shopRoute(async (request) => {
  const { customerId } = await readObject(request);
  const cookie = typeof customerId === "string" ? signIn(request, customerId) : undefined;
  if (cookie === undefined) throw new ShopRefusal(400, "There is no such customer.");
  return new Response(null, { status: 204, headers: { "Set-Cookie": cookie } });
});

export const endSession = shopRoute(
  async (request) => new Response(null, { status: 204, headers: { "Set-Cookie": signOut(request) } }),
);
