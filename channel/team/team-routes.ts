/** The team's API, for inbox applications. */
import { headerNames } from "#lib/chat-api/headers.ts";
import { parseIdempotencyKey, parseRequest } from "#lib/chat-api/parse-request.ts";
import type { ChatRef } from "../chats/chat-store.ts";
import { deleteChat } from "../chats/delete-chat.ts";
import { TeamHours } from "../db/team-hours.ts";
import { availabilityAt } from "../handoffs/hours.ts";
import { mountPrivate, mountPrivateWrite, type PrivateDeps } from "../http/private-route.ts";
import { json } from "../http/responses.ts";
import type { SettingsStore } from "../settings/settings.ts";
import { claimChat, failHandoff, releaseChat, resolveChat, type TeamDeps } from "./team-actions.ts";
import { countByMode, listTeamChats, readTeamChat } from "./team-inbox.ts";
import { askForDetails, editDetails, postMessage } from "./team-messages.ts";
import { AskBody, ClaimBody, EditBody, EmptyBody, InboxQuery, TeammateMessageBody } from "./team-requests.ts";

/** How many messages an inbox shows at a time. */
const messagesShown = 200;

export type TeamRouteDeps = PrivateDeps & TeamDeps & { settings: SettingsStore };

export function mountTeam(deps: TeamRouteDeps): void {
  const { database, channelKey, settings } = deps;
  const chat = "/team/chats/:chatId";
  const availability = async () => ({
    hours: (await settings.refresh()).hours,
    now: settings.clock.now(),
  });

  mountPrivate(deps, "GET", "/team/chats", async ({ parameters }) => {
    const { mode, limit } = parseRequest(InboxQuery, Object.fromEntries(parameters));
    const [items, counts] = await Promise.all([
      listTeamChats(database.sql, { channelKey, mode, limit }, await availability()),
      countByMode(database.sql, channelKey),
    ]);
    return json(200, { items, counts });
  });
  mountPrivate(deps, "GET", chat, async ({ ref }) =>
    json(200, { item: await readTeamChat(database.sql, ref, messagesShown, await availability()) }),
  );

  mountPrivate(deps, "DELETE", chat, async ({ ref }) => eraseChat(deps, ref));

  mountPrivateWrite(deps, "POST", `${chat}/claim`, ClaimBody, async ({ ref, body }) =>
    json(200, { item: await claimChat(deps, ref, body) }),
  );
  mountPrivateWrite(deps, "POST", `${chat}/release`, EmptyBody, async ({ ref }) =>
    json(200, { item: await releaseChat(deps, ref) }),
  );
  mountPrivateWrite(deps, "POST", `${chat}/resolve`, EmptyBody, async ({ ref }) =>
    json(200, { item: await resolveChat(deps, ref) }),
  );
  mountPrivateWrite(deps, "POST", `${chat}/fail`, EmptyBody, async ({ ref }) =>
    json(200, { item: await failHandoff(deps, ref) }),
  );

  mountPrivateWrite(deps, "POST", `${chat}/messages`, TeammateMessageBody, async ({ ref, body, request }) => {
    const header = request.headers.get(headerNames.idempotencyKey);
    const key = header === null ? undefined : parseIdempotencyKey(header);
    return json(201, { item: await postMessage(deps, ref, { ...body, key }) });
  });
  mountPrivateWrite(deps, "POST", `${chat}/form`, AskBody, async ({ ref, body }) =>
    json(201, { item: await askForDetails(deps, ref, body.form, body.name) }),
  );
  mountPrivateWrite(deps, "POST", `${chat}/details`, EditBody, async ({ ref, body }) =>
    json(200, { item: await editDetails(deps, ref, body.values) }),
  );

  mountPrivate(deps, "GET", "/team/hours", async () => hoursResponse(deps));
  mountPrivateWrite(deps, "PUT", "/team/hours", TeamHours, async ({ body }) => {
    await deps.settings.change({ hours: body });
    return hoursResponse(deps);
  });
  mountPrivate(deps, "DELETE", "/team/hours", async () => {
    await deps.settings.change({ hours: null });
    return hoursResponse(deps);
  });
}

/**
 * Erases the chat with its messages, files and details, as a customer may ask. Its create key then answers
 * `idempotency_resource_gone`.
 */
export async function eraseChat({ database, engine }: TeamDeps, ref: ChatRef): Promise<Response> {
  const running = await deleteChat(database, ref);
  if (running !== null) await engine.abandon(running);
  return new Response(null, { status: 204 });
}

/** The team's hours and its current availability. `hours` is null if the team is always available. */
async function hoursResponse({ settings }: TeamRouteDeps): Promise<Response> {
  const { hours } = await settings.refresh();
  return json(200, { item: { hours, ...availabilityAt(hours, settings.clock.now()) } });
}
