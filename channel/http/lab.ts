/**
 * The lab's API, for tests and demonstrations: the clock, the channel's state, its limits, faults on command, the
 * agent's next replies, chats from elsewhere. Only with `CHANNEL_LAB=1`, only on this machine, only with the team key.
 */

import { randomBytes } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { deleteChat } from "../chats/delete-chat.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { chats, files } from "../db/schema.ts";
import { addFault, clearFaults, type Fault, listFaults } from "../lab/fault-store.ts";
import { importChat } from "../lab/import-chat.ts";
import {
  ChannelBody,
  ChatKeyBody,
  ClockBody,
  FaultBody,
  FileBody,
  ImportBody,
  importBodyBytes,
  LimitsBody,
  ReplyBody,
} from "../lab/lab-requests.ts";
import { addReply, clearReplies } from "../lab/scripted-replies.ts";
import { isLoopback } from "../loopback.ts";
import type { Admissions } from "../settings/admission.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { TurnEngine } from "../turns/turn-engine.ts";
import type { ChannelContext } from "./app.ts";
import type { RotatingCredential } from "./credentials.ts";
import { mountPrivate, mountPrivateWrite, type PrivateDeps } from "./private-route.ts";
import { created, json } from "./responses.ts";

export interface LabDeps extends PrivateDeps {
  database: Database;
  clock: Clock;
  engine: TurnEngine;
  settings: SettingsStore;
  admissions: Admissions;
  chatKey: RotatingCredential;
  /** Does what the moved clock has made due. */
  runJobs: () => Promise<void>;
}

export function mountLab(labDeps: LabDeps): void {
  const deps = { ...labDeps, guard: requireThisMachine };
  const { database, channelKey, settings } = deps;

  mountPrivate(deps, "GET", "/lab", async () => json(200, { item: await labState(deps) }));

  mountPrivateWrite(deps, "POST", "/lab/clock", ClockBody, async ({ body }) => {
    const { clockOffsetMs } = await settings.refresh();
    await settings.change({ clockOffsetMs: clockOffsetMs + Math.round(body.advanceSeconds * 1000) });
    await deps.runJobs();
    return json(200, { now: settings.clock.now().toISOString() });
  });

  mountPrivateWrite(deps, "POST", "/lab/channel", ChannelBody, async ({ body }) => {
    const { published, suspended } = await settings.refresh();
    const change = { published: body.published ?? published, suspended: body.suspended ?? suspended };
    await settings.change(change);
    return json(200, { item: change });
  });

  mountPrivateWrite(deps, "POST", "/lab/limits", LimitsBody, async ({ body }) => {
    const { limitOverrides } = await settings.refresh();
    const given = Object.entries(body).filter(([, limit]) => limit !== undefined);
    const { limits } = await settings.change({ limits: { ...limitOverrides, ...Object.fromEntries(given) } });
    await deps.admissions.restart();
    return json(200, { item: limits });
  });

  mountPrivateWrite(deps, "POST", "/lab/faults", FaultBody, async ({ body }) =>
    json(201, { item: shownFault(await addFault(database.sql, channelKey, body)) }),
  );
  mountPrivate(deps, "DELETE", "/lab/faults", async () => {
    await clearFaults(database.sql, channelKey);
    return new Response(null, { status: 204 });
  });

  mountPrivateWrite(deps, "POST", "/lab/reply", ReplyBody, async ({ body }) => {
    await addReply(database.sql, channelKey, body.chatId, body.reply);
    return json(201, { item: body });
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
  mountPrivate(deps, "DELETE", "/lab/chats/:chatId", async ({ place }) => {
    const running = await deleteChat(database, place);
    if (running !== null) await deps.engine.abandon(running);
    return new Response(null, { status: 204 });
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

  mountPrivateWrite(deps, "POST", "/lab/chat-key", ChatKeyBody, async ({ body }) => {
    const chatKey = body.chatKey ?? `ck_${randomBytes(24).toString("base64url")}`;
    deps.chatKey.rotate(chatKey);
    return json(200, { chatKey });
  });
}

async function labState({ database, channelKey, settings }: LabDeps) {
  const { published, suspended, limits } = await settings.refresh();
  const faults = await listFaults(database.sql, channelKey);
  return {
    now: settings.clock.now().toISOString(),
    published,
    suspended,
    limits,
    faults: faults.map(shownFault),
  };
}

/** A file that is not ready is there and cannot be used: until the lab lets it, or its upload comes again. */
async function setReady({ database, channelKey }: LabDeps, fileId: string, isReady: boolean): Promise<void> {
  const own = database.sql.select({ id: chats.id }).from(chats).where(eq(chats.channelKey, channelKey));
  const changed = await database.sql
    .update(files)
    .set({ isReady })
    .where(and(eq(files.id, fileId), inArray(files.chatId, own)))
    .returning({ id: files.id });
  if (changed.length === 0) throw new ChatApiError("file_not_found");
}

function shownFault({ channelKey: _, id, ...fault }: Fault) {
  return { id: String(id), ...fault };
}

/** The environment refuses a lab on other addresses; a proxy on this machine could still lead others here. */
function requireThisMachine(context: ChannelContext): void {
  const address = context.env.incoming?.socket.remoteAddress;
  const isForwarded = ["forwarded", "x-forwarded-for", "x-real-ip"].some((name) =>
    context.req.raw.headers.has(name),
  );
  if (isForwarded || (address !== undefined && !isLoopback(address))) throw new ChatApiError("not_found");
}
