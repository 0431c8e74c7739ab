/** Takes away what has had its time: the bytes of unsent files, a day after they came (specification, "File"). */
import { and, eq, inArray, isNotNull, lte } from "drizzle-orm";
import { chats, files } from "../db/schema.ts";
import type { FileStore } from "./file-store.ts";
import type { FileDeps } from "./upload-file.ts";

const batch = 100;

/**
 * One batch. The rows stay, without their bytes: an upload with the same key finds its file by them. A message that is
 * being sent with one of the files at this moment holds its row, and wins. Returns how many files were swept.
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
    deps.reach("K12");
    const ids = due.map((file) => file.id);
    if (ids.length > 0) await tx.update(files).set({ storageKey: null }).where(inArray(files.id, ids));
    return due.flatMap((file) => file.storageKey ?? []);
  });
  // After the commit: bytes without a file are an orphan, a file without bytes would be a fault.
  await store.remove(storageKeys);
  return storageKeys.length;
}

/** As a job: it has never more to do. */
export async function removeOrphans(store: FileStore): Promise<0> {
  await store.removeOrphans();
  return 0;
}
