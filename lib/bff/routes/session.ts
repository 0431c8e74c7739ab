/** The page's first request: names the signed-in customer, or gives a new guest a cookie. */
import { z } from "zod";
import { ChatApiError } from "../../chat-api/errors.ts";
import { callerHeader } from "../../chat-api/headers.ts";
import { limits } from "../../chat-api/limits.ts";
import { jsonBody } from "../http/body.ts";
import { jsonResponse } from "../http/responses.ts";
import { type Call, route } from "../http/route.ts";
import type { Session } from "../session/guest-sessions.ts";

const readNothing = jsonBody(z.strictObject({}), limits.jsonBodyBytes);

/**
 * Keeps an existing guest session, so that two tabs that open at once, or a retry, do not lose its chats.
 * Answers 201 with a new cookie, else 200.
 */
export const startSession = route(
  {
    name: "startSession",
    method: "POST",
    caller: "own_pages",
    session: "optional",
    // Reading the session counts as a read; a new guest has a limit of its own.
    limit: "read",
  },
  async (call) => {
    await readNothing(call);
    const { session } = call;
    if (session === undefined) return startGuest(call);
    if (session.customer === null) return jsonResponse(200, describeGuest(call, session));
    const { setCookie, follows } = await endGuest(call, session);
    const headers: Record<string, string> = setCookie === undefined ? {} : { "Set-Cookie": setCookie };
    const item = {
      ...describe(call.bff, session).item,
      ...(follows ? { followsGuest: true } : {}),
      // The chats that the page may not know.
      chatIds: await call.bff.listedChats?.read(session.customer),
    };
    return jsonResponse(200, { item }, headers);
  },
);

async function startGuest(call: Call): Promise<Response> {
  const { bff, request, address, note, setHeader } = call;
  if (!(await bff.identity.admits(call))) {
    note({ reason: "guest_not_admitted" });
    throw new ChatApiError("request_not_allowed", { message: "The shop does not admit this guest." });
  }
  await bff.rateLimits.consume("newSession", { session: undefined, address, note });
  const { session, setCookie } = await bff.guests.start(request);
  setHeader(callerHeader, bff.callerTags(session).current);
  return jsonResponse(201, describe(bff, session), { "Set-Cookie": setCookie });
}

/**
 * Ends the guest's session when a customer has signed in. Guest and customer may be two people at one
 * computer, so the guest's chats must not appear here after sign-out, and to the customer only if the shop
 * wants them to follow (docs/decisions/037-a-guests-chats-follow-by-choice.md).
 */
async function endGuest({ bff, request }: Call, customer: Session) {
  const { sessions, isEmpty } = await bff.guests.readAll(request);
  for (const guest of sessions) bff.streams.endAllOf(guest);
  if (customer.guestUserId !== undefined) return { follows: true };
  const setCookie = await bff.guests.follow(request, customer);
  if (setCookie !== undefined) return { setCookie, follows: true };
  return { setCookie: isEmpty ? undefined : bff.guests.forget(), follows: false };
}

/** The session, with the guest's latest chat for a page whose storage was cleared. */
function describeGuest({ bff, request }: Call, session: Session) {
  const { item } = describe(bff, session);
  return { item: { ...item, lastChatId: bff.guests.lastChat(request, bff.callerTags(session)) } };
}

function describe({ callerTags, takeFeedback }: Call["bff"], session: Session) {
  const { current, former } = callerTags(session);
  const item = { caller: current, formerCallers: former, customer: session.customer };
  return { item: takeFeedback === undefined ? item : { ...item, takesFeedback: true } };
}
