/** The results of a part, round by round. */
import type { Figure, Measured } from "./part.ts";

export interface Row {
  subject: string;
  rounds: Measured[];
}

export interface PartResult {
  name: string;
  title: string;
  figures: readonly Figure[];
  titles: Readonly<Record<string, string>>;
  baselines: readonly string[];
  rows: readonly Row[];
  /** The machine's load average after each measurement. */
  loads: readonly number[];
}

export function valuesOf(row: Row, key: string): number[] {
  return row.rounds.map((round) => round[key] ?? Number.NaN);
}

export function round(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: 0, maximumFractionDigits: digits });
}
