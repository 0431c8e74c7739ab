import { expect, test } from "vitest";
import { fourAtATime } from "./previous-chats.tsx";

test("acts on four items at a time, in their order, until the signal", async () => {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const ended = new AbortController();
  const act = (item: number) => {
    begun.push(item);
    return new Promise<void>((resolve) => void ends.push(resolve));
  };
  fourAtATime([1, 2, 3, 4, 5, 6, 7, 8], act, ended.signal);
  expect(begun).toEqual([1, 2, 3, 4]);
  ends[1]?.();
  await expect.poll(() => begun).toEqual([1, 2, 3, 4, 5]);
  ended.abort();
  for (const end of ends) end();
  await new Promise(setImmediate);
  expect(begun).toEqual([1, 2, 3, 4, 5]);
});
