/**
 * Stores files' bytes. The `files` table says which bytes belong to which file; a store knows bytes only, so
 * that a folder or an S3-compatible service can replace the database.
 *
 * A store is outside the database's transactions: bytes are stored first, then a transaction assigns them to
 * a file. Bytes that a crash leaves in between are orphans, and `removeOrphans` removes them.
 */
export interface FileStore {
  /**
   * Stores the bytes and returns their key once they are durable. If `bytes` throws, nothing is kept and the
   * error passes through.
   */
  put(bytes: AsyncIterable<Uint8Array>): Promise<string>;
  /** The bytes in order. Throws `BytesMissing` before the first byte if nothing is stored under that key. */
  get(storageKey: string): AsyncIterable<Uint8Array>;
  remove(storageKeys: readonly string[]): Promise<void>;
  /**
   * Removes bytes that no file claims, except those so new that their upload may be in progress. Returns how
   * many pieces were removed.
   */
  removeOrphans(): Promise<number>;
}

/** The store lacks the bytes that a file refers to. */
export class BytesMissing extends Error {
  override name = "BytesMissing";
  constructor(storageKey: string) {
    super(`The file store has no bytes named ${storageKey}.`);
  }
}
