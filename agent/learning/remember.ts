/** Keeps what was learned in a file, so that only the first start learns. */
import { createHash, type Hash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { threadId } from "node:worker_threads";

const digestLength = 32;

/**
 * What `learn` returns, from `file` if that was learned from the same `sources` (files and folders). A
 * missing, old or damaged file is replaced; where that is forbidden, every start learns.
 */
export function remember<T>(file: string, sources: readonly string[], learn: () => T): T {
  const inputs = createHash("sha256").update(process.version);
  for (const source of sources) addFiles(inputs, source);
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

function addFiles(hash: Hash, path: string): void {
  if (statSync(path).isDirectory())
    for (const name of readdirSync(path).sort()) addFiles(hash, join(path, name));
  else hash.update(`${basename(path)}\n`).update(readFileSync(path));
}
