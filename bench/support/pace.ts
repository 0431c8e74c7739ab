/** Commands to the synthetic Chat API, the instructions in a message, and the time stamp in each delta. */
import { hrtime } from "node:process";

export interface Pace {
  deltas: number;
  /** 0 sends everything at once. */
  perSecond: number;
  /** Filler text besides the time stamp. */
  bytes: number;
}

/**
 * Paths of the synthetic Chat API, which answers with the number of its open streams: `/pause` lets all
 * streams wait before their next deltas, `/resume` ends that.
 */
export type Command = "/count" | "/pause" | "/resume";

export function paceText({ deltas, perSecond, bytes }: Pace): string {
  return `pace ${deltas} ${perSecond} ${bytes}`;
}

export function readPace(text: string): Pace {
  const [, deltas = "0", perSecond = "0", bytes = "0"] = text.split(" ");
  return { deltas: Number(deltas), perSecond: Number(perSecond), bytes: Number(bytes) };
}

/** Milliseconds of the machine's monotonic clock, which all its processes share. */
export function machineTime(): number {
  return Number(hrtime.bigint() / 1_000n) / 1_000;
}

export function stamp(): string {
  return `@${machineTime().toFixed(3)};`;
}

export const stampPattern = /@(\d+\.\d{3});/g;
