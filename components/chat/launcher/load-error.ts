/**
 * Whether a part of the chat could not be fetched: the network failed, or a deployment removed this version's
 * files. Bundlers throw a `ChunkLoadError`, browsers name the import.
 */
export function isLoadError(error: unknown): boolean {
  return /ChunkLoadError|import/i.test(`${error}`);
}
