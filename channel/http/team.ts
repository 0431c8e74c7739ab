/** The team's API: what a hosted inbox would use. */
import { headerNames } from "#lib/chat-api/headers.ts";
import { parseIdempotencyKey, parseRequest } from "#lib/chat-api/parse-request.ts";
import { availabilityAt } from "../handoffs/hours.ts";
import { TeamHours } from "../handoffs/team-hours.ts";
import type { SettingsStore } from "../settings/settings.ts";
import { claimChat, failHandoff, releaseChat, resolveChat, type TeamDeps } from "../team/team-actions.ts";
import { countByMode, listTeamChats, readTeamChat } from "../team/team-inbox.ts";
import { askForDetails, editDetails, postMessage } from "../team/team-messages.ts";
import {
  AskBody,
  ClaimBody,
  EditBody,
  InboxQuery,
  NothingBody,
  TeammateMessageBody,
} from "../team/team-requests.ts";
import { mountPrivate, mountPrivateWrite, type PrivateDeps } from "./private-route.ts";
import { json } from "./responses.ts";

/** As many messages as one sees at once in an inbox. */
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
  mountPrivate(deps, "GET", chat, async ({ place }) =>
    json(200, { item: await readTeamChat(database.sql, place, messagesShown, await availability()) }),
  );

  mountPrivateWrite(deps, "POST", `${chat}/claim`, ClaimBody, async ({ place, body }) =>
    json(200, { item: await claimChat(deps, place, body) }),
  );
  mountPrivateWrite(deps, "POST", `${chat}/release`, NothingBody, async ({ place }) =>
    json(200, { item: await releaseChat(deps, place) }),
  );
  mountPrivateWrite(deps, "POST", `${chat}/resolve`, NothingBody, async ({ place }) =>
    json(200, { item: await resolveChat(deps, place) }),
  );
  mountPrivateWrite(deps, "POST", `${chat}/fail`, NothingBody, async ({ place }) =>
    json(200, { item: await failHandoff(deps, place) }),
  );

  mountPrivateWrite(
    deps,
    "POST",
    `${chat}/messages`,
    TeammateMessageBody,
    async ({ place, body, request }) => {
      const header = request.headers.get(headerNames.idempotencyKey);
      const key = header === null ? undefined : parseIdempotencyKey(header);
      return json(201, { item: await postMessage(deps, place, { ...body, key }) });
    },
  );
  mountPrivateWrite(deps, "POST", `${chat}/form`, AskBody, async ({ place, body }) =>
    json(201, { item: await askForDetails(deps, place, body.form, body.name) }),
  );
  mountPrivateWrite(deps, "POST", `${chat}/details`, EditBody, async ({ place, body }) =>
    json(200, { item: await editDetails(deps, place, body.values) }),
  );

  mountPrivate(deps, "GET", "/team/hours", async () => hoursAnswer(deps));
  mountPrivateWrite(deps, "PUT", "/team/hours", TeamHours, async ({ body }) => {
    await deps.settings.change({ hours: body });
    return hoursAnswer(deps);
  });
  mountPrivate(deps, "DELETE", "/team/hours", async () => {
    await deps.settings.change({ hours: null });
    return hoursAnswer(deps);
  });
}

/** The hours, and what they say at this moment. `hours` null: the team is always available. */
async function hoursAnswer({ settings }: TeamRouteDeps): Promise<Response> {
  const { hours } = await settings.refresh();
  return json(200, { item: { hours, ...availabilityAt(hours, settings.clock.now()) } });
}
