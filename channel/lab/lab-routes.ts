/**
 * The lab's API for tests and demonstrations: clock, publication, limits, faults, scripted replies, imported
 * chats, requests seen, further channels. Requires `CHANNEL_LAB`, the team key and, unless it is `anywhere`,
 * a caller on this machine.
 */
import { randomBytes } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import type { Chat } from "#lib/chat-api/chat.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { parseRequest } from "#lib/chat-api/parse-request.ts";
import { toChat } from "../chats/chat-store.ts";
import { chats, files } from "../db/schema.ts";
import type { ChannelContext } from "../http/app.ts";
import { curlOf, withoutKeys } from "../http/exchange.ts";
import { type PrivateDeps, privateRoutes } from "../http/private-route.ts";
import { created, json } from "../http/responses.ts";
import { isLoopback } from "../loopback.ts";
import { EmptyBody } from "../team/team-requests.ts";
import { eraseChat } from "../team/team-routes.ts";
import { exportChats } from "./export-chat.ts";
import { importChats, type LabControlDeps, resetChannel } from "./lab-controls.ts";
import type { SeenRequest } from "./lab-memory.ts";
import {
  ChatKeyBody,
  ClockBody,
  ContinueBody,
  FaultBody,
  importBodyBytes,
  LimitsBody,
  NoticesQuery,
  ReplyBody,
  RequestsQuery,
  SeedBody,
  WaitQuery,
} from "./lab-requests.ts";
import { addReply, clearReplies, continueReplies, pendingReplies } from "./scripted-replies.ts";
import { waitForChat } from "./wait-for-chat.ts";

export interface LabDeps extends PrivateDeps, LabControlDeps {
  /** Runs every job until nothing is due. */
  runJobs: () => Promise<void>;
  /** Whether callers on other machines may use the lab. */
  isOpen: boolean;
  /** The further channels of the process. */
  channels: ChannelDirectory | undefined;
  kill: (() => void) | undefined;
}

/** A channel that the lab has created, with its own keys. */
export interface CreatedChannel {
  channelKey: string;
  chatKey: string;
  teamKey: string;
}

export interface ChannelDirectory {
  create(seed: SeedBody | undefined): Promise<CreatedChannel & { chats: readonly Chat[] }>;
  list(): Promise<(CreatedChannel & { lastRequestAt: Date | null })[]>;
  /** @throws ChatApiError `not_found` */
  drop(channelKey: string): Promise<void>;
}

export function mountLab(labDeps: LabDeps): void {
  const deps = labDeps.isOpen ? labDeps : { ...labDeps, guard: requireThisMachine };
  const { database, channelKey, settings, memory } = deps;
  const route = privateRoutes(deps);

  const now = () => settings.clock.now();

  route.get("/lab", async () => {
    const { published, suspended, limits } = await settings.refresh();
    const replies = await pendingReplies(database.sql, channelKey);
    return { item: { now: now(), published, suspended, limits, faults: memory.faults.list(), replies } };
  });
  route.post("/lab/clock", ClockBody, async ({ body }) => {
    const { clockOffsetMs } = await settings.refresh();
    await settings.change({ clockOffsetMs: clockOffsetMs + Math.round(body.advanceSeconds * 1000) });
    await deps.runJobs();
    return { now: now() };
  });
  const ChannelBody = z.strictObject({
    published: z.boolean().optional(),
    suspended: z.boolean().optional(),
  });
  route.post("/lab/channel", ChannelBody, async ({ body }) => {
    const current = await settings.refresh();
    const { published, suspended } = await settings.change({
      published: body.published ?? current.published,
      suspended: body.suspended ?? current.suspended,
    });
    return { item: { published, suspended } };
  });
  route.post("/lab/limits", LimitsBody, async ({ body }) => {
    const item = settings.changeLimits(body);
    await deps.admissions.restart();
    return { item };
  });
  route.delete("/lab/limits", async () => {
    settings.restoreLimits();
    await deps.admissions.restart();
  });

  route.post("/lab/faults", FaultBody, async ({ body }) => created(memory.faults.add(body)));
  route.delete("/lab/faults", async () => memory.faults.clear());

  route.post("/lab/reply", ReplyBody, async ({ body }) => {
    await addReply(database.sql, channelKey, body.chatId, body.reply);
    return created(body);
  });
  route.post("/lab/reply/continue", ContinueBody, async ({ body }) => {
    await continueReplies(database.sql, channelKey, body.chatId, body.holdsAfter);
    return { item: body };
  });
  route.delete("/lab/reply", () => clearReplies(database.sql, channelKey));

  route.get("/lab/chats", async () => ({ chats: await exportChats(database.sql, channelKey) }));
  const importAll = async ({ body }: { body: SeedBody }) => ({ items: await importChats(deps, body) });
  route.put("/lab/chats", SeedBody, importAll, importBodyBytes);
  route.delete("/lab/chats/:chatId", ({ ref }) => eraseChat(deps, ref));

  route.post("/lab/reset", EmptyBody, async () => {
    await resetChannel(deps);
    return { now: now() };
  });

  route.get("/lab/wait", async ({ parameters, request, context }) => {
    const query = parseRequest(WaitQuery, Object.fromEntries(parameters));
    const isNoticed = () => memory.notices().some(({ chatId }) => chatId === query.chatId);
    const ref = { channelKey, chatId: query.chatId };
    const { chat, isReached } = await waitForChat(database.sql, ref, query, isNoticed, request.signal);
    if (isReached) return { item: toChat(chat) };
    const turn = chat.activeOperationId === null ? "" : ", and the agent is answering";
    const message = `The chat did not reach ${query.until} within ${query.timeout} s: its mode is ${chat.mode}${turn}.`;
    return json(408, { error: { code: "wait_timeout", message, requestId: context.get("requestId") } });
  });
  route.get("/lab/requests", async ({ parameters }) => {
    const query = parseRequest(RequestsQuery, Object.fromEntries(parameters));
    const items = memory.latestRequests().filter((seen) => isChosen(seen, query));
    return { items: items.slice(0, query.limit).map(query.exchanges ? wholeRequest : requestSummary) };
  });

  route.get("/lab/notices", async ({ parameters }) => {
    const { chatId } = parseRequest(NoticesQuery, Object.fromEntries(parameters));
    const notices = memory.notices().toReversed();
    return { items: notices.filter((notice) => chatId === undefined || notice.chatId === chatId) };
  });

  route.post("/lab/files/:fileId", z.strictObject({ ready: z.boolean() }), async ({ body, context }) => {
    const fileId = context.req.param("fileId") ?? "";
    await setReady(deps, fileId, body.ready);
    return { item: { id: fileId, ready: body.ready } };
  });

  route.post("/lab/cursors/expire", EmptyBody, async () => {
    await settings.expireCursors();
    return { now: now() };
  });

  route.post("/lab/chat-key", ChatKeyBody, async ({ body }) => {
    const chatKey = body.chatKey ?? `ck_${randomBytes(24).toString("base64url")}`;
    deps.chatKey.rotate(chatKey);
    return { chatKey };
  });

  const { channels, kill } = deps;
  if (kill !== undefined) route.post("/lab/kill", EmptyBody, async () => kill());
  if (channels === undefined) return;
  const NewChannelBody = z.strictObject({ seed: SeedBody.optional() });
  const create = async ({ body }: { body: { seed?: SeedBody | undefined } }) =>
    created(await channels.create(body.seed));
  route.post("/lab/channels", NewChannelBody, create, importBodyBytes);
  route.get("/lab/channels", async () => ({ items: await channels.list() }));
  route.delete("/lab/channels/:channelKey", ({ context }) =>
    channels.drop(context.req.param("channelKey") ?? ""),
  );
}

function isChosen(seen: SeenRequest, query: z.output<typeof RequestsQuery>): boolean {
  const { requestId, chatId, operation, status, code: errorCode, since } = query;
  const wanted = Object.entries({ requestId, chatId, operation, status, errorCode });
  const isWanted = wanted.every(
    ([name, value]) => value === undefined || seen[name as keyof SeenRequest] === value,
  );
  return isWanted && (since === undefined || seen.seenAt >= since);
}

function requestSummary({ exchange: _, errorCode, isReplay = false, ...seen }: SeenRequest) {
  return { ...seen, code: errorCode, isReplay };
}

function wholeRequest(seen: SeenRequest) {
  const exchange = withoutKeys(seen.exchange);
  return { ...requestSummary(seen), ...exchange, curl: curlOf({ method: seen.method, exchange }) };
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
