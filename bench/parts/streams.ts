/** Turn streams: one by one, a thousand at a reader's pace, a thousand at a faster pace, a thousand idle. */
import { setTimeout as pause } from "node:timers/promises";
import { eachTarget } from "../support/each-target.ts";
import { memoryOf, processorTime } from "../support/machine.ts";
import { customersFor, openStreams } from "../support/open-streams.ts";
import { paceText } from "../support/pace.ts";
import type { Measured, Options } from "../support/part.ts";
import { warmUpSeconds } from "../support/repeat.ts";
import { median, quantile } from "../support/statistics.ts";
import { type Customer, streamRequest, type Target } from "../support/targets.ts";
import { Wire } from "../support/wire.ts";

const streams = 1_000;
const deltaBytes = 20;
const readersPace = 10;
/** Deltas per second and stream, two and a half times the readers' pace. */
const saturatingPace = 25;
const warmUpStreams = 100;
const settleTime = 1_000;

export const firstEvent = eachTarget(
  {
    title: "One stream at a time",
    figures: [
      { key: "first", title: "first event", unit: "µs" },
      { key: "cpu", title: "CPU per started stream", unit: "µs" },
    ],
  },
  async (target, { seconds }) => {
    const customer = await target.customer();
    const wire = new Wire(target.port);
    await startFor(target, customer, wire, warmUpSeconds);
    const cpu = processorTime(target.program.pid);
    const times = await startFor(target, customer, wire, seconds);
    const used = processorTime(target.program.pid) - cpu;
    wire.close();
    return { first: median(times) * 1_000, cpu: (used * 1_000) / times.length };
  },
);

/** Milliseconds from each request to the first bytes of its body. */
async function startFor(target: Target, customer: Customer, wire: Wire, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const text = paceText({ deltas: 3, perSecond: 0, bytes: deltaBytes });
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const request = streamRequest(target, customer, text);
    const began = performance.now();
    let first = 0;
    await wire.expect(201, request, () => {
      first ||= performance.now() - began;
    });
    times.push(first);
  }
  return times;
}

export const manyStreams = eachTarget(
  {
    title: `${streams.toLocaleString("en")} streams, ${readersPace} deltas/s each`,
    figures: [
      { key: "cpu", title: "CPU per 1,000 deltas", unit: "ms" },
      { key: "p50", title: "latency p50", unit: "ms" },
      { key: "p99", title: "latency p99", unit: "ms" },
      { key: "delivered", title: "of the offered deltas", unit: "%" },
    ],
  },
  (target, options) => run(target, options, readersPace),
);

export const saturation = eachTarget(
  {
    title: `${streams.toLocaleString("en")} streams, ${(streams * saturatingPace).toLocaleString("en")} deltas/s offered`,
    figures: [
      { key: "perSecond", title: "deltas/s delivered", unit: "" },
      { key: "p99", title: "latency p99", unit: "ms" },
    ],
  },
  (target, options) => run(target, options, saturatingPace),
);

async function run(target: Target, { seconds }: Options, perSecond: number): Promise<Measured> {
  const customers = await customersFor(target, streams);
  // Streams outlast the measurement, which therefore excludes opening and closing, even on a busy machine.
  const traffic = await openStreams(target, customers, {
    count: streams,
    perSecond,
    seconds: seconds + 600,
    bytes: deltaBytes,
  });
  await pause(warmUpSeconds * 1_000);
  const cpu = processorTime(target.program.pid);
  const from = traffic.latencies.length;
  const began = performance.now();
  await pause(seconds * 1_000);
  const elapsed = (performance.now() - began) / 1_000;
  const latencies = traffic.latencies.slice(from);
  const used = processorTime(target.program.pid) - cpu;
  await traffic.close();
  return {
    cpu: used / (latencies.length / 1_000),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    perSecond: latencies.length / elapsed,
    delivered: (100 * latencies.length) / (elapsed * streams * perSecond),
  };
}

export const idleStreams = eachTarget(
  {
    title: `${streams.toLocaleString("en")} idle streams`,
    figures: [{ key: "memory", title: "memory per idle stream", unit: "KiB" }],
  },
  async (target) => {
    const customers = await customersFor(target, streams);
    // So slow that no delta is sent during the measurement.
    const idle = { perSecond: 0.001, seconds: 600, bytes: deltaBytes };
    // Warm-up: after its first streams a process keeps memory that belongs to no single stream.
    const first = await openStreams(target, customers, { ...idle, count: warmUpStreams });
    await first.close();
    await pause(settleTime);
    const before = memoryOf(target.program.pid).now;
    const traffic = await openStreams(target, customers, { ...idle, count: streams });
    await pause(settleTime * 2);
    const after = memoryOf(target.program.pid).now;
    await traffic.close();
    return { memory: (after - before) / streams };
  },
  { fresh: true },
);
