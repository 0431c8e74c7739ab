/**
 * Where the bytes of files live. The rows of `files` say which bytes belong to which file; a store knows only bytes,
 * so that a folder or an S3-compatible service can stand in for the database.
 *
 * No store is part of the database's transactions: bytes are put first, then a transaction makes them a file's. What
 * a crash leaves between the two is nobody's, and `removeOrphans` takes it away.
 */
export interface FileStore {
  /**
   * Keeps the bytes as they come in and names them. Resolves when they are durable. Where `bytes` throws, nothing is
   * kept and the error goes through.
   */
  put(bytes: AsyncIterable<Uint8Array>): Promise<string>;
  /** The bytes, in order; throws `BytesMissing` before the first where there are none of that name. */
  get(storageKey: string): AsyncIterable<Uint8Array>;
  remove(storageKeys: readonly string[]): Promise<void>;
  /** Removes bytes that no file has, unless they are so new that their file may be about to be made. */
  removeOrphans(): Promise<void>;
}

/** The store has no bytes of this name, though a file says so. */
export class BytesMissing extends Error {
  override name = "BytesMissing";
  constructor(storageKey: string) {
    super(`The file store has no bytes named ${storageKey}.`);
  }
}
