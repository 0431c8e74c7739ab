/**
 * The channel of the environment and, with the lab, further ones in the same process and database: each has
 * its own keys, clock, faults, limits, scripts and chats (docs/decisions, 035). A request belongs to the
 * channel that its path or, for the team and the lab, its key names.
 */
import { randomBytes } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import { eq, isNotNull, type SQL } from "drizzle-orm";
import type { Logger } from "pino";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { type Channel, type ChannelDeps, createChannel } from "./channel.ts";
import { channels } from "./db/schema.ts";
import { asChatApiError, errorResponse } from "./http/responses.ts";
import { newId } from "./ids.ts";
import { deleteRows } from "./lab/lab-controls.ts";
import type { ChannelDirectory, CreatedChannel } from "./lab/lab-routes.ts";
import { errorSummary } from "./report-error.ts";
import { storeChannel } from "./settings/settings.ts";

/** Notifies other processes on the database that a channel was dropped. */
const droppedHint = "dropped:";

/** @returns the environment's channel, which also answers for the others */
export async function createChannels(deps: ChannelDeps): Promise<Channel> {
  if (deps.lab !== "here" && deps.lab !== "anywhere") {
    const only: Channel = await createChannel({ ...deps, fetch: (request) => only.fetch(request) });
    return only;
  }
  const { database } = deps;
  const opened = new Map<string, Promise<Channel>>();
  let isStarted = false;

  const first = await createChannel({ ...deps, fetch, channels: directory() });
  const ignoreHints = database.onNotify((name) => {
    if (name.startsWith(droppedHint)) void close(name.slice(droppedHint.length));
  });

  /** @param own The channel that asks: it may drop itself, and the first channel any other. */
  function directory(own?: string): ChannelDirectory {
    return {
      create,
      async list() {
        const rows = await rowsOf(own === undefined ? isNotNull(channels.chatKey) : eq(channels.key, own));
        return Promise.all(
          rows.map(async (keys) => {
            // A channel that could not be opened is listed without its last request.
            const channel = await opened.get(keys.channelKey)?.catch(() => undefined);
            return { ...keys, lastRequestAt: channel?.lastRequestAt() ?? null };
          }),
        );
      },
      async drop(channelKey) {
        const [row] = await rowsOf(eq(channels.key, channelKey));
        if (row === undefined || (own !== undefined && own !== channelKey))
          throw new ChatApiError("not_found");
        await close(channelKey);
        await database.transaction((tx) => deleteRows(tx, channelKey));
        await database.notify(`${droppedHint}${channelKey}`);
      },
    };
  }

  /** The keys of channels that the lab has created. */
  async function rowsOf(condition: SQL): Promise<CreatedChannel[]> {
    const { key: channelKey, chatKey, teamKey } = channels;
    const rows = await database.sql.select({ channelKey, chatKey, teamKey }).from(channels).where(condition);
    return rows.flatMap(({ channelKey: key, ...keys }) =>
      keys.chatKey === null || keys.teamKey === null
        ? []
        : [{ channelKey: key, chatKey: keys.chatKey, teamKey: keys.teamKey }],
    );
  }

  async function create(seed: ChannelDeps["seed"]): ReturnType<ChannelDirectory["create"]> {
    const keys: CreatedChannel = {
      channelKey: `dep_lab_${randomBytes(12).toString("hex")}`,
      chatKey: `ck_${randomBytes(24).toString("base64url")}`,
      teamKey: `tk_${randomBytes(24).toString("base64url")}`,
    };
    const { channelKey: key, chatKey, teamKey } = keys;
    // With its keys from the beginning: without them nobody could find or drop it.
    await storeChannel(database.sql, { key, chatKey, teamKey, hours: deps.hours ?? null });
    const channel = await open(keys, seed);
    opened.set(key, Promise.resolve(channel));
    return { ...keys, chats: await channel.seed() };
  }

  async function open(keys: CreatedChannel, seed?: ChannelDeps["seed"]): Promise<Channel> {
    const log: Logger = deps.log.child({ channelKey: keys.channelKey });
    // A chat's ID is unique in the database, so that copies of a seed have new ones.
    const chats = (seed?.chats ?? []).map(({ id: _, ...chat }) => chat);
    const channel = await createChannel({
      ...deps,
      ...keys,
      log,
      seed: { chats },
      channels: directory(keys.channelKey),
      kill: undefined,
    });
    if (isStarted) channel.start();
    return channel;
  }

  /** The channel of the row, opened on its first request to this process; without a row, the first one. */
  async function find(condition: SQL): Promise<Channel> {
    const [keys] = await rowsOf(condition);
    if (keys === undefined) return first;
    const { channelKey } = keys;
    const known = opened.get(channelKey);
    if (known !== undefined) return known;
    const opening = open(keys);
    opened.set(channelKey, opening);
    opening.catch(() => opened.delete(channelKey));
    return opening;
  }

  async function close(channelKey: string): Promise<void> {
    const channel = await opened.get(channelKey)?.catch(() => undefined);
    opened.delete(channelKey);
    await channel?.stop(0);
  }

  async function channelOf(request: Request): Promise<Channel> {
    const { pathname } = new URL(request.url);
    const named = /^\/v1\/channels\/([^/]+)\//.exec(pathname)?.[1];
    if (named === deps.channelKey) return first;
    if (named !== undefined) return opened.get(named) ?? find(eq(channels.key, named));
    if (!/^\/(?:team|lab)(?:\/|$)/.test(pathname)) return first;
    const key = /^Bearer +(tk_\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    return key === undefined || key === deps.teamKey ? first : find(eq(channels.teamKey, key));
  }

  /** The channel could not be found or opened. The next request tries again. */
  function refused(error: unknown): Response {
    const requestId = newId("req");
    deps.log.error({ where: `request ${requestId}`, ...errorSummary(error) }, "error");
    return errorResponse(asChatApiError(error, undefined), requestId);
  }

  async function fetch(request: Request, bindings?: Partial<HttpBindings>): Promise<Response> {
    try {
      const channel = await channelOf(request);
      return await channel.fetch(request, bindings);
    } catch (error) {
      return refused(error);
    }
  }

  return {
    ...first,
    fetch,
    start() {
      isStarted = true;
      first.start();
    },
    async stop(grace) {
      ignoreHints();
      const all = [Promise.resolve(first), ...opened.values()];
      await Promise.all(all.map(async (opening) => (await opening.catch(() => undefined))?.stop(grace)));
    },
  };
}
