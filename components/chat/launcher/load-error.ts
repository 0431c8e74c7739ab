/**
 * Whether a part of the chat could not be fetched: the network failed, or a deployment removed this version's
 * files. Bundlers throw a `ChunkLoadError`, browsers an error with one of these sentences.
 */
export function isLoadError(error: unknown): boolean {
  return /ChunkLoadError|dynamically import|importing a module/i.test(`${error}`);
}
