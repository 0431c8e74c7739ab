/** The demo shop's own data behind the same pipeline: a signed-in customer's orders, and one order by what its e-mail says. */
import { z } from "zod";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { utf16Max } from "#lib/chat-api/schema-parts.ts";
import { findOrder as findShopOrder, ordersOf } from "#lib/shop/orders.ts";
import { jsonBody, noBody } from "../http/body.ts";
import { jsonResponse } from "../http/responses.ts";
import { route } from "../http/route.ts";
import { customerOfUserId } from "../identity.ts";

/** A guest has none. */
export const listOrders = route(
  {
    name: "listOrders",
    method: "GET",
    caller: "own_pages",
    session: "required",
    limit: "read",
    body: noBody,
  },
  async ({ session }) => {
    const customer = customerOfUserId(session.userId);
    return jsonResponse(200, { items: customer === undefined ? [] : ordersOf(customer.id) });
  },
);

const FindOrderBody = z.strictObject({ reference: utf16Max(64), email: utf16Max(254) });

/** A wrong reference, a wrong address and another customer's order answer the same: whoever guesses learns nothing. */
export const findOrder = route(
  {
    name: "findOrder",
    method: "POST",
    caller: "own_pages",
    session: "required",
    limit: "findOrder",
    body: jsonBody(FindOrderBody, limits.jsonBodyBytes),
  },
  async ({ body }) => {
    const order = findShopOrder(body.reference, body.email);
    if (order === undefined) {
      throw new ChatApiError("not_found", { message: "No order has this reference and e-mail address." });
    }
    return jsonResponse(200, { item: order });
  },
);
