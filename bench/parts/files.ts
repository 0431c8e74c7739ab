/** Uploads of 4 MiB, four at a time, and the memory that forty concurrent uploads take. */
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { eachTarget } from "../support/each-target.ts";
import { forgetPeak, memoryOf } from "../support/machine.ts";
import { measureRepeats } from "../support/repeat.ts";
import type { Customer, Target } from "../support/targets.ts";
import { Wire, type WireRequest } from "../support/wire.ts";

const mebibyte = 1024 * 1024;
/** 4 MiB, the contract's limit for a file. */
const content = Buffer.alloc(4 * mebibyte, "x");
/** Concurrent uploads of one customer (`uploadsPerSession` of the BFF). */
const atOnce = 4;
const manyAtOnce = 40;

function uploadRequest(target: Target, { headers, chatId }: Customer): WireRequest {
  const boundary = `bench-${randomBytes(12).toString("hex")}`;
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n` +
    `Content-Type: application/pdf\r\n\r\n`;
  return {
    method: "POST",
    path: `${target.prefix}/chats/${chatId}/files`,
    headers: {
      ...headers,
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "idempotency-key": randomBytes(12).toString("hex"),
    },
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** Retries, as the chat does, while all upload slots are taken. */
async function upload(target: Target, customer: Customer, wire: Wire): Promise<void> {
  const request = uploadRequest(target, customer);
  for (;;) {
    const { status, retryAfter = "1", body } = await wire.send(request);
    if (status === 201) return;
    if (status !== 429) throw new Error(`${target.name}: an upload was answered ${status}: ${body}`);
    await pause(1_000 * Number(retryAfter));
  }
}

export const uploads = eachTarget(
  {
    title: `Uploads of 4 MiB, ${atOnce} at a time`,
    figures: [
      { key: "rate", title: "throughput", unit: "MiB/s" },
      { key: "cpu", title: "CPU per file", unit: "ms" },
    ],
  },
  async (target, { seconds }) => {
    const customer = await target.customer();
    const wires = Array.from({ length: atOnce }, () => new Wire(target.port));
    const uploadOne = (wire: Wire) => upload(target, customer, wire);
    const { times, elapsed, cpu } = await measureRepeats([target.program.pid], wires, seconds, uploadOne);
    for (const wire of wires) wire.close();
    const rate = (times.length * content.length) / mebibyte / (elapsed / 1_000);
    return { rate, cpu: (cpu[0] ?? 0) / times.length };
  },
);

export const manyUploads = eachTarget(
  {
    title: `${manyAtOnce} uploads of 4 MiB at once`,
    figures: [
      { key: "growth", title: "highest memory beyond that before", unit: "MiB" },
      { key: "seconds", title: "until all are stored", unit: "s" },
    ],
  },
  async (target) => {
    const customers = await Promise.all(Array.from({ length: manyAtOnce / atOnce }, () => target.customer()));
    const [warm] = customers;
    if (warm === undefined) throw new Error("No customer");
    const first = new Wire(target.port);
    // Warm-up: a process keeps the memory that it takes for its first files.
    for (let file = 0; file < 3; file += 1) await upload(target, warm, first);
    first.close();
    await pause(500);
    forgetPeak(target.program.pid);
    const [before, began] = [memoryOf(target.program.pid).now, performance.now()];
    await Promise.all(
      Array.from({ length: manyAtOnce }, async (_, index) => {
        const wire = new Wire(target.port);
        await upload(target, customers[index % customers.length] ?? warm, wire);
        wire.close();
      }),
    );
    const growth = (memoryOf(target.program.pid).peak - before) / 1_024;
    return { growth, seconds: (performance.now() - began) / 1_000 };
  },
  { fresh: true, without: ["direct"] },
);
