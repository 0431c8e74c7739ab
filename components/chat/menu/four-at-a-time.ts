const atOnce = 4;

/** Acts on each item, in their order: the rows in view come first. Begins nothing after the signal. */
export function fourAtATime<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  signal: AbortSignal,
): void {
  const left = items.values();
  async function actInTurn(): Promise<void> {
    for (const item of left) {
      if (signal.aborted) return;
      await act(item);
    }
  }
  for (let count = 0; count < atOnce; count += 1) void actInTurn();
}
