/** The default file store: the bytes of a file in several database rows. */
import { randomUUID } from "node:crypto";
import { and, eq, inArray, lt, notExists, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { fileParts, files } from "../db/schema.ts";
import { BytesMissing, type FileStore } from "./file-store.ts";

/**
 * Bytes per row: large enough that a file takes few statements, small enough that forty parallel uploads need
 * little memory.
 */
const partBytes = 256 * 1024;
/** Follows the database's clock, so that the lab's clock does not age an upload in progress. */
const now = sql<Date>`clock_timestamp()`;
const orphansFrom = sql<Date>`clock_timestamp() - interval '1 hour'`;

export function createDatabaseFileStore(database: Database): FileStore {
  async function remove(storageKeys: readonly string[]): Promise<void> {
    if (storageKeys.length === 0) return;
    await database.sql.delete(fileParts).where(inArray(fileParts.storageKey, [...storageKeys]));
  }

  return {
    async put(bytes) {
      const storageKey = randomUUID();
      let part = 0;
      try {
        for await (const piece of inParts(bytes)) {
          await database.sql.insert(fileParts).values({ storageKey, part, bytes: piece, storedAt: now });
          part += 1;
        }
      } catch (error) {
        if (part > 0) await remove([storageKey]);
        throw error;
      }
      return storageKey;
    },

    async *get(storageKey) {
      for (let part = 0; ; part += 1) {
        const [row] = await database.sql
          .select({ bytes: fileParts.bytes })
          .from(fileParts)
          .where(and(eq(fileParts.storageKey, storageKey), eq(fileParts.part, part)));
        if (row === undefined && part === 0) throw new BytesMissing(storageKey);
        if (row === undefined) return;
        yield row.bytes;
      }
    },

    remove,

    async removeOrphans() {
      const isKept = database.sql
        .select({ id: files.id })
        .from(files)
        .where(eq(files.storageKey, fileParts.storageKey));
      const removed = await database.sql
        .delete(fileParts)
        .where(and(lt(fileParts.storedAt, orphansFrom), notExists(isKept)))
        .returning({ part: fileParts.part });
      return removed.length;
    },
  };
}

/** Splits the bytes into rows. An empty file has one empty row, which shows that it exists. */
async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let length = 0;
  let isFirst = true;
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.byteLength; ) {
      const piece = chunk.subarray(start, start + partBytes - length);
      gathered.push(piece);
      length += piece.byteLength;
      start += piece.byteLength;
      if (length < partBytes) continue;
      yield Buffer.concat(gathered, length);
      gathered = [];
      length = 0;
      isFirst = false;
    }
  }
  if (length > 0 || isFirst) yield Buffer.concat(gathered, length);
}
