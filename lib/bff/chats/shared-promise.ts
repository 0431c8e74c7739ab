/**
 * Returns the kept promise of this key, or makes and keeps one. A promise that rejects is forgotten, so that
 * the next caller tries again.
 */
export function sharedPromise<T>(
  kept: Pick<Map<string, Promise<T>>, "get" | "delete"> & { set(key: string, made: Promise<T>): unknown },
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  // Runs after `set`, even if `made` has rejected already.
  made.catch(() => kept.delete(key));
  return made;
}
