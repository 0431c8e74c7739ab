/**
 * The lab's API for tests and demonstrations: clock, publication, limits, faults, scripted replies, imported
 * chats, requests seen, further channels. Requires `CHANNEL_LAB`, the team key and, unless it is `anywhere`,
 * a caller on this machine.
 */
import { randomBytes } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import type { Chat } from "#lib/chat-api/chat.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { parseRequest } from "#lib/chat-api/parse-request.ts";
import { toChat } from "../chats/chat-row.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { chats, files } from "../db/schema.ts";
import type { ChannelContext } from "../http/app.ts";
import type { RotatingCredential } from "../http/credentials.ts";
import { curlOf } from "../http/exchange.ts";
import { mountPrivate, mountPrivateWrite, type PrivateDeps } from "../http/private-route.ts";
import type { RequestHistory, SeenRequest } from "../http/request-history.ts";
import { created, json } from "../http/responses.ts";
import { isLoopback } from "../loopback.ts";
import type { SettingsStore } from "../settings/settings.ts";
import { EmptyBody } from "../team/team-requests.ts";
import { eraseChat } from "../team/team-routes.ts";
import type { TurnEngine } from "../turns/turn-engine.ts";
import { exportChats } from "./export-chat.ts";
import type { Fault } from "./fault-store.ts";
import { importChat } from "./import-chat.ts";
import type { LabControls } from "./lab-controls.ts";
import {
  ChannelBody,
  ChatKeyBody,
  ClockBody,
  ContinueBody,
  FaultBody,
  FileBody,
  ImportBody,
  importBodyBytes,
  LimitsBody,
  NewChannelBody,
  ReplyBody,
  RequestsQuery,
  SeedBody,
  SnapshotBody,
  WaitQuery,
} from "./lab-requests.ts";
import { addReply, clearReplies, continueReplies } from "./scripted-replies.ts";
import { waitForChat } from "./wait-for-chat.ts";

export interface LabDeps extends PrivateDeps {
  database: Database;
  clock: Clock;
  engine: TurnEngine;
  settings: SettingsStore;
  chatKey: RotatingCredential;
  controls: LabControls;
  history: RequestHistory;
  /** Whether callers on other machines may use the lab. */
  isOpen: boolean;
  /** The further channels of the process. */
  channels: ChannelDirectory | undefined;
}

/** A channel that the lab has created, with the keys of its own. */
export interface CreatedChannel {
  channelKey: string;
  chatKey: string;
  teamKey: string;
}

export interface ChannelDirectory {
  create(seed: SeedBody | undefined): Promise<CreatedChannel & { chats: readonly Chat[] }>;
  list(): Promise<{ channelKey: string }[]>;
  /** @throws ChatApiError `not_found` */
  drop(channelKey: string): Promise<void>;
}

export function mountLab(labDeps: LabDeps): void {
  const deps = labDeps.isOpen ? labDeps : { ...labDeps, guard: requireThisMachine };
  const { database, channelKey, settings, controls } = deps;

  mountPrivate(deps, "GET", "/lab", async () => {
    const { faults, ...state } = await controls.read();
    return json(200, { item: { ...state, faults: faults.map(publicFault) } });
  });
  mountPrivateWrite(deps, "POST", "/lab/clock", ClockBody, async ({ body }) =>
    json(200, { now: await controls.advance(body.advanceSeconds) }),
  );
  mountPrivateWrite(deps, "POST", "/lab/channel", ChannelBody, async ({ body }) =>
    json(200, { item: await controls.setChannel(body) }),
  );
  mountPrivateWrite(deps, "POST", "/lab/limits", LimitsBody, async ({ body }) =>
    json(200, { item: await controls.setLimits(body) }),
  );

  mountPrivateWrite(deps, "POST", "/lab/faults", FaultBody, async ({ body }) =>
    json(201, { item: publicFault(await controls.addFault(body)) }),
  );
  mountPrivate(deps, "DELETE", "/lab/faults", async () => {
    await controls.clearFaults();
    return new Response(null, { status: 204 });
  });

  mountPrivateWrite(deps, "POST", "/lab/reply", ReplyBody, async ({ body }) => {
    await addReply(database.sql, channelKey, body.chatId, body.reply);
    return json(201, { item: body });
  });
  mountPrivateWrite(deps, "POST", "/lab/reply/continue", ContinueBody, async ({ body }) => {
    await continueReplies(database.sql, channelKey, body.chatId, body.holdsAfter);
    return json(200, { item: body });
  });
  mountPrivate(deps, "DELETE", "/lab/reply", async () => {
    await clearReplies(database.sql, channelKey);
    return new Response(null, { status: 204 });
  });

  mountPrivateWrite(
    deps,
    "POST",
    "/lab/chats",
    ImportBody,
    async ({ body }) => {
      const { chat, isNew } = await importChat(deps, body);
      return created(chat, !isNew);
    },
    importBodyBytes,
  );
  mountPrivate(deps, "DELETE", "/lab/chats/:chatId", async ({ ref }) => eraseChat(deps, ref));
  mountPrivate(deps, "GET", "/lab/chats", async () =>
    json(200, { chats: await exportChats(database.sql, channelKey) }),
  );
  mountPrivate(deps, "GET", "/lab/chats/:chatId", async ({ ref }) => {
    const [chat] = await exportChats(database.sql, channelKey, ref.chatId);
    if (chat === undefined) throw new ChatApiError("chat_not_found");
    return json(200, chat);
  });
  mountPrivateWrite(
    deps,
    "PUT",
    "/lab/chats",
    SeedBody,
    async ({ body }) => json(200, { items: await controls.importChats(body) }),
    importBodyBytes,
  );

  mountPrivateWrite(deps, "POST", "/lab/reset", EmptyBody, async () => {
    await controls.reset();
    return json(200, { now: settings.clock.now() });
  });
  mountPrivate(deps, "GET", "/lab/snapshot", async () => json(200, await controls.snapshot()));
  mountPrivateWrite(
    deps,
    "PUT",
    "/lab/snapshot",
    SnapshotBody,
    async ({ body }) => {
      await controls.restore(body);
      return json(200, { now: settings.clock.now() });
    },
    importBodyBytes,
  );

  mountPrivate(deps, "GET", "/lab/wait", async ({ parameters, request, context }) => {
    const query = parseRequest(WaitQuery, Object.fromEntries(parameters));
    const chat = await waitForChat(database.sql, { channelKey, chatId: query.chatId }, query, request.signal);
    if (chat !== undefined) return json(200, { item: toChat(chat) });
    const message = `The chat did not reach ${query.until} within ${query.timeout} s.`;
    return json(408, { error: { code: "wait_timeout", message, requestId: context.get("requestId") } });
  });
  mountPrivate(deps, "GET", "/lab/requests", async ({ parameters }) => {
    const query = parseRequest(RequestsQuery, Object.fromEntries(parameters));
    const items = deps.history.latest().filter((seen) => isChosen(seen, query));
    return json(200, { items: items.slice(0, query.limit).map(publicRequest) });
  });

  mountPrivateWrite(deps, "POST", "/lab/files/:fileId", FileBody, async ({ body, context }) => {
    const fileId = context.req.param("fileId") ?? "";
    await setReady(deps, fileId, body.ready);
    return json(200, { item: { id: fileId, ready: body.ready } });
  });

  mountPrivateWrite(deps, "POST", "/lab/cursors/expire", ChannelBody.pick({}), async () => {
    await settings.expireCursors();
    return json(200, { now: settings.clock.now().toISOString() });
  });

  if (deps.channels !== undefined) mountChannels(deps, deps.channels);

  mountPrivateWrite(deps, "POST", "/lab/chat-key", ChatKeyBody, async ({ body }) => {
    const chatKey = body.chatKey ?? `ck_${randomBytes(24).toString("base64url")}`;
    deps.chatKey.rotate(chatKey);
    return json(200, { chatKey });
  });
}

function mountChannels(deps: LabDeps, channels: ChannelDirectory): void {
  mountPrivateWrite(
    deps,
    "POST",
    "/lab/channels",
    NewChannelBody,
    async ({ body }) => json(201, { item: await channels.create(body.seed) }),
    importBodyBytes,
  );
  mountPrivate(deps, "GET", "/lab/channels", async () => json(200, { items: await channels.list() }));
  mountPrivate(deps, "DELETE", "/lab/channels/:channelKey", async ({ context }) => {
    await channels.drop(context.req.param("channelKey") ?? "");
    return new Response(null, { status: 204 });
  });
}

function isChosen(seen: SeenRequest, query: z.output<typeof RequestsQuery>): boolean {
  const { requestId, chatId, operation, status, code, since } = query;
  return (
    (requestId === undefined || seen.requestId === requestId) &&
    (chatId === undefined || seen.chatId === chatId) &&
    (operation === undefined || seen.operation === operation) &&
    (status === undefined || seen.status === status) &&
    (code === undefined || seen.errorCode === code) &&
    (since === undefined || seen.seenAt >= since)
  );
}

function publicRequest({ exchange, errorCode, isReplay = false, ...seen }: SeenRequest) {
  const curl = exchange === undefined ? undefined : curlOf({ method: seen.method, exchange });
  return { ...seen, code: errorCode, isReplay, ...exchange, curl };
}

/**
 * Holds a file back or releases it. A held file exists but cannot be used until it is released or uploaded
 * again.
 */
async function setReady({ database, channelKey }: LabDeps, fileId: string, isReady: boolean): Promise<void> {
  const own = database.sql.select({ id: chats.id }).from(chats).where(eq(chats.channelKey, channelKey));
  const changed = await database.sql
    .update(files)
    .set({ isReady })
    .where(and(eq(files.id, fileId), inArray(files.chatId, own)))
    .returning({ id: files.id });
  if (changed.length === 0) throw new ChatApiError("file_not_found");
}

function publicFault({ channelKey: _, id, ...fault }: Fault) {
  return { id: String(id), ...fault };
}

/**
 * The lab only runs on loopback addresses, but a local reverse proxy could still forward other machines'
 * requests.
 */
function requireThisMachine(context: ChannelContext): void {
  const address = context.env.incoming?.socket.remoteAddress;
  const isForwarded = ["forwarded", "x-forwarded-for", "x-real-ip"].some((name) =>
    context.req.raw.headers.has(name),
  );
  if (isForwarded || (address !== undefined && !isLoopback(address))) throw new ChatApiError("not_found");
}
