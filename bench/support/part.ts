import type { Bench, TargetName } from "./targets.ts";

export interface Options {
  /** Duration of each measurement. */
  seconds: number;
  rounds: number;
  targets: readonly TargetName[];
  /** Numbers of messages in the channel's databases. */
  stored: readonly number[];
}

export interface Figure {
  key: string;
  title: string;
  unit: string;
}

/** A round's results for one subject (a target, a number of processes), by figure. */
export type Measured = Readonly<Record<string, number>>;

export interface Part {
  title: string;
  figures: readonly Figure[];
  /** The subjects of each round, in order. */
  subjects(options: Options): readonly string[];
  /** Titles of the subjects in tables; their names by default. */
  titles?: Readonly<Record<string, string>>;
  /** Each subject's figures are also shown as multiples of these subjects' figures. */
  baselines?: readonly string[];
  /** Starts what every round needs. */
  open(options: Options, bench: Bench): Promise<Session>;
}

export interface Session {
  measure(subject: string): Promise<Measured>;
  close(): Promise<void>;
}
