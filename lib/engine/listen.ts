/**
 * Calls back at these events, whose names have spaces between them. Returns a function that stops. A target
 * that the browser lacks has no events.
 */
export function listen(
  target: EventTarget | null | undefined,
  names: string,
  listener: (event: Event) => void,
  options: AddEventListenerOptions = {},
): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  for (const name of names.split(" ")) target?.addEventListener(name, listener, { ...options, signal });
  return () => stopped.abort();
}
