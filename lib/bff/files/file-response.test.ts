import { expect, test, vi } from "vitest";
import { bffLimits } from "../configuration/limits.ts";
import { fileResponse } from "./file-response.ts";

test("delivers a slow download that never stalls", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const pieces = Array.from({ length: 4 }, (_, index) => new Uint8Array(16).fill(index));
  const slow = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        vi.advanceTimersByTime(bffLimits.readerStallTime - 1);
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  const outcomes: string[] = [];
  const reader = slow.getReader();
  const file = { headers: new Headers(), read: () => reader.read(), cancel: () => reader.cancel() };
  const { body } = await fileResponse(file, () => (outcome) => void outcomes.push(outcome));
  expect((await new Response(body as ReadableStream<Uint8Array>).bytes()).byteLength).toBe(64);
  expect(outcomes).toEqual(["done"]);
});
