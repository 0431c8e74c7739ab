import { posix } from "node:path";

export interface Import {
  from: string;
  to: string;
}

/**
 * The imports between the entries of each folder, where an entry is a file or a whole subfolder: `a/b/x.ts`
 * importing `a/c/d/y.ts` counts in `a`, from `a/b` to `a/c`.
 */
function neighbourImports(imports: readonly Import[]): Map<string, Import[]> {
  return Map.groupBy(imports.map(betweenNeighbours), ({ from }) => posix.dirname(from));
}

function betweenNeighbours({ from, to }: Import): Import {
  const [fromParts, toParts] = [from.split("/"), to.split("/")];
  const depth = fromParts.findIndex((part, index) => part !== toParts[index]) + 1;
  return { from: fromParts.slice(0, depth).join("/"), to: toParts.slice(0, depth).join("/") };
}

/** The shortest cycle in each folder, as `a/b -> a/c -> a/b`, unless it consists of files alone. */
export function findFolderCycles(imports: readonly Import[]): string[] {
  return [...neighbourImports(imports).values()].flatMap((all) => {
    const edges = all.filter(({ from, to }) => from !== to);
    const targets = Map.groupBy(edges, ({ from }) => from);
    const cycles = edges
      .filter(({ from, to }) => posix.extname(from) === "" || posix.extname(to) === "")
      .map(({ from, to }) => findChain(targets, from, to))
      .filter((chain) => chain.length > 0);
    const [shortest] = cycles.sort((a, b) => a.length - b.length);
    return shortest === undefined ? [] : [shortest.join(" -> ")];
  });
}

/** The shortest chain of imports from `end` through `second` back to `end`; empty when there is none. */
function findChain(targets: ReadonlyMap<string, Import[]>, end: string, second: string): string[] {
  const chains = [[end, second]];
  const seen = new Set<string>();
  for (const chain of chains) {
    const last = chain.at(-1) ?? "";
    if (last === end) return chain;
    if (seen.has(last)) continue;
    seen.add(last);
    chains.push(...(targets.get(last) ?? []).map(({ to }) => [...chain, to]));
  }
  return [];
}
