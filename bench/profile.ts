/**
 * `npm run bench -- profile FOLDER` says who uses the CPU time of the targets that `--profile FOLDER` has
 * written. Node's own functions count as their caller's, except the platform's web objects.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
  children?: number[];
}

interface Profile {
  nodes: ProfileNode[];
  samples: number[];
  /** Microseconds. */
  timeDeltas: number[];
}

/** The target starts in this time, in microseconds. */
const startTime = 3_000_000;
/** The target was suspended between two samples that are further apart than this, in microseconds. */
const longestDelta = 100_000;

/** The owners of a function by the source file, in order. */
const owners: readonly (readonly [RegExp, string])[] = [
  [/node_modules\/next\//, "Next"],
  [/node_modules\/jose\/|customer-of/, "sign-in: jose, WebCrypto"],
  [/node_modules\/undici\//, "undici, to the Chat API"],
  [/^node:internal\/(?:deps\/undici|webstreams|abort_controller|event_target)/, "the platform's web objects"],
  [/(?:^|\/)lib\/|node_modules\/(?:pino|zod|lru-cache)\//, "the chat server"],
  [/bench\/next\/pipe/, "the handler that pipes"],
];

const maps = new Map<string, SourceMap | undefined>();

function sourceOf({ callFrame: { url, lineNumber, columnNumber } }: ProfileNode): string {
  if (!url.startsWith("file:") || url.includes("/node_modules/")) return url;
  const file = `${fileURLToPath(url)}.map`;
  if (!maps.has(file))
    maps.set(file, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, "utf8"))) : undefined);
  const entry = maps.get(file)?.findEntry(lineNumber, columnNumber);
  return entry !== undefined && "originalSource" in entry ? entry.originalSource : url;
}

function shares({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const parents = new Map<number, number>();
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const known = new Map<number, string>();

  function ownerOf(id: number): string {
    const cached = known.get(id);
    if (cached !== undefined) return cached;
    const node = byId.get(id);
    const parent = parents.get(id);
    if (node === undefined || parent === undefined) return "Node";
    if (node.callFrame.functionName === "(garbage collector)") return "garbage collection";
    const source = sourceOf(node);
    const owner = owners.find(([pattern]) => pattern.test(source))?.[1] ?? ownerOf(parent);
    known.set(id, owner);
    return owner;
  }

  const times = new Map<string, number>();
  let passed = 0;
  for (const [at, id] of samples.entries()) {
    const delta = timeDeltas[at] ?? 0;
    if (delta > longestDelta) continue;
    passed += delta;
    if (passed < startTime || byId.get(id)?.callFrame.functionName === "(idle)") continue;
    times.set(ownerOf(id), (times.get(ownerOf(id)) ?? 0) + delta);
  }
  return times;
}

const [folder = ""] = process.argv.slice(2);
for (const name of readdirSync(folder)) {
  const times = [...shares(JSON.parse(readFileSync(join(folder, name), "utf8")))];
  const total = times.reduce((sum, [, time]) => sum + time, 0);
  console.log(`${name}: ${(total / 1_000_000).toFixed(1)} s`);
  for (const [owner, time] of times.toSorted(([, one], [, other]) => other - one))
    console.log(`${((100 * time) / total).toFixed(1).padStart(6)} %  ${owner}`);
}
