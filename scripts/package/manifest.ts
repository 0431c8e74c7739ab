import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.ts";
import { entries } from "./entries.ts";

interface SourceManifest {
  version: string;
  license: string;
  engines: { node: string };
  dependencies: Record<string, string>;
}

/** Optional peer dependencies: loaded when an environment variable turns their feature on. */
const optional = ["@opentelemetry/", "ioredis", "prom-client"];
const peers = { next: ">=15", react: ">=19", "react-dom": ">=19" };

/** Entries that hold the chat key. */
const forServers = ["server", "next", "node", "pages"];
/** The module that replaces these entries in bundles for browsers. */
export const notForBrowsers = {
  file: "not-for-browsers.js",
  code: 'throw new Error("This part of shop-chat holds the chat key and is for servers. A page imports shop-chat/react.");\n',
};

export function packageManifest(folder: string, modules: readonly string[]) {
  const source: SourceManifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const used = importedPackages(folder, modules);
  const isOptional = (name: string) => optional.some((start) => name.startsWith(start));
  const ranges = Object.fromEntries(
    used
      .filter((name) => !(name in peers))
      .map((name) => {
        const version = source.dependencies[name];
        if (version === undefined) throw new Error(`The package imports ${name}, which is not a dependency`);
        return [name, `^${version}`];
      }),
  );
  const optionalPeers = Object.keys(ranges).filter(isOptional);
  return {
    name: "shop-chat",
    version: source.version,
    description:
      "The chat for shops on the Chat API: one server object, one component, one element for any page",
    license: source.license,
    type: "module",
    engines: source.engines,
    sideEffects: ["**/*.css"],
    exports: {
      ...Object.fromEntries(
        Object.entries(entries).map(([name, path]) => [
          `./${name}`,
          exportOf(name, path.replace(/\.tsx?$/, "")),
        ]),
      ),
      "./style.css": "./style.css",
      // The server serves the script, which calls the server that it comes from.
      "./element": { types: "./components/chat/element/shop-chat.d.ts" },
      "./package.json": "./package.json",
    } as Record<string, string | Record<string, string>>,
    dependencies: Object.fromEntries(Object.entries(ranges).filter(([name]) => !isOptional(name))),
    peerDependencies: {
      ...peers,
      ...Object.fromEntries(optionalPeers.map((name) => [name, ranges[name] ?? "*"])),
    },
    peerDependenciesMeta: Object.fromEntries(
      [...Object.keys(peers), ...optionalPeers].map((name) => [name, { optional: true }]),
    ),
  };
}

function exportOf(name: string, path: string): Record<string, string> {
  return {
    types: `./${path}.d.ts`,
    ...(forServers.includes(name) ? { browser: `./${notForBrowsers.file}` } : {}),
    default: `./${path}.js`,
  };
}

function importedPackages(folder: string, modules: readonly string[]): string[] {
  const names = modules
    .flatMap((file) =>
      Array.from(
        readFileSync(join(folder, file), "utf8").matchAll(
          /(?:^import |^export [^"]*from |\bfrom |\bimport\(|\b(?:require|load)Optional\()\s*(?:\/\*.*?\*\/\s*)*"([^"./][^"]*)"/gm,
        ),
        ([, name = ""]) => name,
      ),
    )
    .filter((name) => !name.startsWith("node:"))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
  return [...new Set(names)].sort();
}
