/** Keeps what was learned in a file, so that only the first start learns. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import { threadId } from "node:worker_threads";

const digestLength = 32;

/**
 * Returns the result of `learn`, from `file` if that was learned from the same `sources`. A missing, old or
 * damaged file is replaced; where that is forbidden, every start learns.
 */
export function remember<T>(file: string, sources: readonly string[], learn: () => T): T {
  const inputs = createHash("sha256").update(process.version);
  for (const source of sources) inputs.update(`${basename(source)}\n`).update(readFileSync(source));
  const digestOf = (learned: Uint8Array) => inputs.copy().update(learned).digest();
  const kept = existsSync(file) ? readFileSync(file) : new Uint8Array();
  const learned = kept.subarray(digestLength);
  if (digestOf(learned).equals(kept.subarray(0, digestLength))) return deserialize(learned) as T;
  const value = learn();
  const written = serialize(value);
  // Other processes see the old file or the whole new one.
  const draft = `${file}.${process.pid}.${threadId}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, Buffer.concat([digestOf(written), written]));
    renameSync(draft, file);
  } catch (error) {
    if (existsSync(draft)) rmSync(draft);
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  return value;
}
