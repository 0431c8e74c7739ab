/** Removes the bytes of unsent files a day after their upload (docs/chat-api.md, "File"). */
import { and, eq, inArray, isNotNull, lte } from "drizzle-orm";
import { chats, files } from "../db/schema.ts";
import type { FileDeps } from "./upload-file.ts";

const batch = 100;

/**
 * Sweeps one batch. Rows stay, without bytes, so that a repeated upload with the same key finds its file. A
 * message being sent with the file holds the row's lock and wins. Returns how many files were swept.
 */
export async function sweepUnsentFiles(
  deps: Pick<FileDeps, "database" | "clock" | "store" | "reach"> & { channelKey: string },
): Promise<number> {
  const { database, clock, store, channelKey } = deps;
  const storageKeys = await database.transaction(async (tx) => {
    const due = await tx
      .select({ id: files.id, storageKey: files.storageKey })
      .from(files)
      .innerJoin(chats, eq(chats.id, files.chatId))
      .where(
        and(eq(chats.channelKey, channelKey), lte(files.expiresAt, clock.now()), isNotNull(files.storageKey)),
      )
      .limit(batch)
      .for("update", { of: files, skipLocked: true });
    deps.reach("inside-sweep");
    const ids = due.map((file) => file.id);
    if (ids.length > 0) await tx.update(files).set({ storageKey: null }).where(inArray(files.id, ids));
    return due.flatMap((file) => file.storageKey ?? []);
  });
  // After the commit: bytes without a file are orphans, but a file without bytes would be broken.
  await store.remove(storageKeys);
  return storageKeys.length;
}
