/**
 * Whether a part of the chat could not be fetched: the network failed, or a deployment removed this version's
 * files. Bundlers throw a `ChunkLoadError`, browsers a TypeError for `import()`.
 */
export function isLoadError(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === "ChunkLoadError" ||
      (error instanceof TypeError && /dynamically import|importing a module/i.test(error.message)))
  );
}

/** Reports an error of a part that was fetched and failed to run, which nobody would notice otherwise. */
export function reportUnlessLoadError(error: unknown): void {
  if (!isLoadError(error)) reportError(error);
}
