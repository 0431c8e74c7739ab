/**
 * Checks who owns a chat. The chat key can read every chat (docs/chat-api.md, "General rules"), so this is
 * the access control. It asks the Chat API itself and caches the owner, because a chat's `userId` never
 * changes. There is no database.
 */
import { timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Chat } from "../../chat-api/chat.ts";
import { ChatApiError } from "../../chat-api/errors.ts";
import { dueIn, retrying, type Sleep } from "../../chat-client/retry.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { CallScope } from "../upstream/upstream.ts";
import { sharedPromise } from "./shared-promise.ts";

export interface ChatRead {
  chatId: string;
  /** The request that caused the read. */
  scope: CallScope | undefined;
}

export interface OwnershipOptions {
  readChat(request: ChatRead): Promise<Chat>;
  sleep: Sleep;
  /** Throws when the process is stopping. */
  requireOpen(): void;
}

export function createOwnership({ readChat, sleep, requireOpen }: OwnershipOptions) {
  const owners = new LRUCache<string, string>({ max: bffLimits.ownedChats, ttl: bffLimits.ownedChatTime });
  // Concurrent reads of one chat are shared: a page requests the chat, its messages and its form at once when
  // it opens. Entries are removed when their reads end.
  const reads = new Map<string, Promise<Chat>>();

  const read = (request: ChatRead) =>
    sharedPromise(reads, request.chatId, () => readChat(request).finally(() => reads.delete(request.chatId)));

  function readPatiently(request: ChatRead): Promise<Chat> {
    const startedAt = performance.now();
    let count = 0;
    return retrying({
      attempt: () => read(request),
      signal: undefined,
      next(error) {
        count += 1;
        const elapsed = performance.now() - startedAt;
        return isUnreachable(error) ? dueIn(bffLimits.ownerReads, { count, elapsed, askedWait: null }) : null;
      },
      async pause(wait) {
        await sleep(wait, undefined);
        requireOpen();
      },
    });
  }

  return {
    /**
     * Resolves with the one of these users who owns the chat, and with the chat if it was read, undefined if
     * the owner was cached. The first user is the caller. Writes set `waits`: while the owner is not cached
     * and the Chat API is unreachable, for example after a restart of both, the read is retried for nearly as
     * long as a browser waits.
     * @throws ChatApiError `chat_not_found`, the same for foreign, unknown and deleted chats.
     */
    async require(
      userIds: readonly [string, ...string[]],
      chatId: string,
      waits: boolean,
      scope?: CallScope,
    ): Promise<{ userId: string; chat: Chat | undefined }> {
      const owner = owners.get(chatId);
      if (owner !== undefined) return { userId: requireOneOf(userIds, owner), chat: undefined };
      const chat = await (waits ? readPatiently : read)({ chatId, scope });
      owners.set(chatId, chat.userId);
      return { userId: requireOneOf(userIds, chat.userId), chat };
    },
    /** Forgets the owner of a chat that the Chat API no longer has. */
    forget(chatId: string) {
      owners.delete(chatId);
    },
  };
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ChatApiError && error.rule.isUnreachable;
}

function requireOneOf(userIds: readonly string[], owner: string): string {
  const found = userIds.find((userId) => isSame(userId, owner));
  if (found === undefined) throw new ChatApiError("chat_not_found");
  return found;
}

function isSame(userId: string, owner: string): boolean {
  const [one, other] = [Buffer.from(userId), Buffer.from(owner)];
  // `timingSafeEqual` requires equal lengths. The length of an owner's ID is not a secret.
  return one.length === other.length && timingSafeEqual(one, other);
}
