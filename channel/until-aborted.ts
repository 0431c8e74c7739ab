/** Rejects with the signal's reason as soon as it aborts, even if the promise never settles. */
export async function untilAborted<T>(signal: AbortSignal, pending: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([pending, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
