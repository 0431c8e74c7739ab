/** Who the customer is: `POST` starts a session or signs in, `GET` says who, `DELETE` signs out. */
import { z } from "zod";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { utf16Max } from "#lib/chat-api/schema-parts.ts";
import { jsonBody, noBody } from "../http/body.ts";
import { emptyResponse, jsonResponse } from "../http/responses.ts";
import { type Call, route } from "../http/route.ts";
import { authenticate, customerOfUserId, newGuestUserId, userIdOfCustomer } from "../identity.ts";

const StartSessionBody = z.strictObject({ customerId: utf16Max(128).optional() });

/** To keep a session, to say whose it is and to end it is a read; a new one has a limit of its own. */
const shared = { caller: "own_pages", session: "optional", limit: "read" } as const;

/**
 * Keeps the session that is there: two tabs that open at once, or a retry, must not take each other's chats away.
 * 201 with a new cookie where one was made, else 200.
 */
export const startSession = route(
  {
    ...shared,
    name: "startSession",
    method: "POST",
    body: jsonBody(StartSessionBody, limits.jsonBodyBytes),
  },
  async (call) => {
    const userId = await wantedUserId(call);
    if (userId === call.visitor?.userId) return jsonResponse(200, describe(userId));
    await call.bff.rateLimits.consume("newSession", { request: call.request, session: call.visitor });
    const cookie = await call.bff.sessions.start(userId);
    // Another customer takes over this browser: what the former one had open ends here, in every tab.
    if (call.visitor !== undefined) signOut(call);
    return jsonResponse(201, describe(userId), { "Set-Cookie": cookie });
  },
);

/** `item` is null where there is no session: to ask who one is is no failure. */
export const readSession = route(
  { ...shared, name: "readSession", method: "GET", body: noBody },
  async (call) => {
    if (call.visitor === undefined) return jsonResponse(200, { item: null });
    return jsonResponse(200, describe(call.visitor.userId));
  },
);

export const endSession = route(
  { ...shared, name: "endSession", method: "DELETE", body: noBody },
  async (call) => emptyResponse({ "Set-Cookie": signOut(call) }),
);

async function wantedUserId(call: Call<z.output<typeof StartSessionBody>>): Promise<string> {
  const { customerId } = call.body;
  if (customerId === undefined) return call.visitor?.userId ?? newGuestUserId();
  const customer = await authenticate(call.request, customerId);
  if (customer === undefined) {
    throw new ChatApiError("invalid_request", {
      field: "/customerId",
      message: "There is no such customer.",
    });
  }
  return userIdOfCustomer(customer.id);
}

function signOut({ bff, visitor }: Call<unknown>): string {
  if (visitor !== undefined) bff.streams.endAllOf(visitor);
  return bff.sessions.end(visitor);
}

function describe(userId: string) {
  const customer = customerOfUserId(userId) ?? null;
  return { item: { signedIn: customer !== null, customer } };
}
