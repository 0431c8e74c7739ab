/**
 * The lab's API for tests and demonstrations: clock, publication, limits, faults, scripted replies, imported
 * chats. Requires `CHANNEL_LAB=1`, a loopback address and the team key.
 */

import { randomBytes } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { deleteChat } from "../chats/delete-chat.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { chats, files } from "../db/schema.ts";
import type { ChannelContext } from "../http/app.ts";
import type { RotatingCredential } from "../http/credentials.ts";
import { mountPrivate, mountPrivateWrite, type PrivateDeps } from "../http/private-route.ts";
import { created, json } from "../http/responses.ts";
import { isLoopback } from "../loopback.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { TurnEngine } from "../turns/turn-engine.ts";
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
  ReplyBody,
} from "./lab-requests.ts";
import { addReply, clearReplies, continueReplies } from "./scripted-replies.ts";

export interface LabDeps extends PrivateDeps {
  database: Database;
  clock: Clock;
  engine: TurnEngine;
  settings: SettingsStore;
  chatKey: RotatingCredential;
  controls: LabControls;
}

export function mountLab(labDeps: LabDeps): void {
  const deps = { ...labDeps, guard: requireThisMachine };
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
  mountPrivate(deps, "DELETE", "/lab/chats/:chatId", async ({ ref }) => {
    const running = await deleteChat(database, ref);
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
