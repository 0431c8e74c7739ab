/** The team's API, for inbox applications. */
import { and, eq } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { headerNames } from "#lib/chat-api/headers.ts";
import { parseIdempotencyKey, parseRequest } from "#lib/chat-api/parse-request.ts";
import { fileIdPattern } from "#lib/chat-api/patterns.ts";
import { type ChatRef, deleteChat } from "../chats/chat-store.ts";
import { chats } from "../db/schema.ts";
import { TeamHours } from "../db/team-hours.ts";
import { downloadFile } from "../files/file-store.ts";
import { availabilityAt } from "../handoffs/hours.ts";
import { type PrivateDeps, privateRoutes } from "../http/private-route.ts";
import { created } from "../http/responses.ts";
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
  const route = privateRoutes(deps);
  const chat = "/team/chats/:chatId";
  const availability = async () => ({
    hours: (await settings.refresh()).hours,
    now: settings.clock.now(),
  });

  route.get("/team/chats", async ({ parameters }) => {
    const { mode, limit } = parseRequest(InboxQuery, Object.fromEntries(parameters));
    const [items, counts] = await Promise.all([
      listTeamChats(database.sql, { channelKey, mode, limit }, await availability()),
      countByMode(database.sql, channelKey),
    ]);
    return { items, counts };
  });
  route.get(chat, async ({ ref }) => ({
    item: await readTeamChat(database.sql, ref, messagesShown, await availability()),
  }));
  route.get(`${chat}/files/:fileId`, async ({ ref, context }) => {
    const fileId = context.req.param("fileId") ?? "";
    if (!fileIdPattern.test(fileId)) throw new ChatApiError("invalid_id");
    return downloadFile(deps, ref, fileId);
  });
  route.delete(chat, ({ ref }) => eraseChat(deps, ref));
  route.delete("/team/customers/:userId", async ({ context }) => {
    const isOfCustomer = eq(chats.userId, context.req.param("userId") ?? "");
    const ofCustomer = and(eq(chats.channelKey, channelKey), isOfCustomer);
    const own = await database.sql.select({ chatId: chats.id }).from(chats).where(ofCustomer);
    for (const { chatId } of own) await eraseChat(deps, { channelKey, chatId }).catch(ignoreMissing);
    return { erased: own.length };
  });

  route.post(`${chat}/claim`, ClaimBody, async ({ ref, body }) => ({
    item: await claimChat(deps, ref, body),
  }));
  route.post(`${chat}/release`, EmptyBody, async ({ ref }) => ({ item: await releaseChat(deps, ref) }));
  route.post(`${chat}/resolve`, EmptyBody, async ({ ref }) => ({ item: await resolveChat(deps, ref) }));
  route.post(`${chat}/fail`, EmptyBody, async ({ ref }) => ({ item: await failHandoff(deps, ref) }));

  route.post(`${chat}/messages`, TeammateMessageBody, async ({ ref, body, request }) => {
    const header = request.headers.get(headerNames.idempotencyKey);
    const key = header === null ? undefined : parseIdempotencyKey(header);
    return created(await postMessage(deps, ref, { ...body, key }));
  });
  route.post(`${chat}/form`, AskBody, async ({ ref, body }) =>
    created(await askForDetails(deps, ref, body.form, body.name)),
  );
  route.post(`${chat}/details`, EditBody, async ({ ref, body }) => ({
    item: await editDetails(deps, ref, body.values),
  }));

  /** The team's availability at the channel's time. `hours` is null if the team is always available. */
  const readHours = async () => {
    const { hours, now } = await availability();
    return { item: { now, hours, ...availabilityAt(hours, now) } };
  };
  const setHours = async (hours: TeamHours | null) => {
    await settings.change({ hours });
    return readHours();
  };
  route.get("/team/hours", readHours);
  route.put("/team/hours", TeamHours, ({ body }) => setHours(body));
  route.delete("/team/hours", () => setHours(null));
}

/** Notifies all processes on the database that a chat was erased. */
export const erasedHint = "erased:";

/** Another request has erased the chat. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ChatApiError && error.code === "chat_not_found")) throw error;
}

/**
 * Erases the chat with its messages, files and details, as a customer may ask. Its create key then answers
 * `idempotency_resource_gone`.
 */
export async function eraseChat({ database, engine }: TeamDeps, ref: ChatRef): Promise<void> {
  const running = await deleteChat(database, ref);
  await database.notify(`${erasedHint}${ref.chatId}`);
  if (running !== null) await engine.abandon(running);
}
