import { importedPackages, repository } from "./npm-pack.ts";

/** Entry points of the package: the name after `shop-chat/` and its source. */
export const entries = {
  server: "lib/bff/server.ts",
  next: "lib/bff/next.ts",
  node: "lib/bff/node.ts",
  pages: "lib/bff/pages.ts",
  client: "lib/chat-client/public.ts",
  react: "components/chat/react.tsx",
  headless: "lib/engine/headless.ts",
  testing: "lib/engine/testing/public.ts",
  strings: "components/chat/i18n/check.ts",
} as const;

/** The source of the package's command, `npx shop-chat`. */
export const command = "scripts/command.ts";

/** Optional peer dependencies: loaded when an environment variable turns their feature on. */
const optional = ["@opentelemetry/", "ioredis", "@prometheus-io/client"];
export const lowestPeers = { next: "16.4.0", react: "19.2.0", "react-dom": "19.2.0" };

/** Entries that hold the chat key. */
const forServers = ["server", "next", "node", "pages"];
/** The module that replaces these entries in bundles for browsers. */
export const notForBrowsers = {
  file: "not-for-browsers.js",
  code: 'throw new Error("This part of shop-chat holds the chat key and is for servers. A page imports shop-chat/react.");\n',
};

export function packageManifest(folder: string) {
  const used = Object.entries(importedPackages(folder)).filter(([name]) => !(name in lowestPeers));
  const isOptional = ([name]: [string, string]) => optional.some((start) => name.startsWith(start));
  const peers = Object.entries(lowestPeers).map(([name, version]) => [name, `>=${version}`]);
  const peerDependencies = { ...Object.fromEntries([...peers, ...used.filter(isOptional)]) };
  return {
    name: "shop-chat",
    description:
      "The chat for shops on the Chat API: one server object, one component, one element for any page",
    engines: repository.engines,
    sideEffects: ["**/*.css"],
    bin: { "shop-chat": `./${command.replace(/\.ts$/, ".js")}` },
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
    },
    dependencies: Object.fromEntries(used.filter((one) => !isOptional(one))),
    peerDependencies,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(peerDependencies).map((name) => [name, { optional: true }]),
    ),
  };
}

function exportOf(name: string, path: string): Record<string, string> {
  return {
    types: `./${path}.d.ts`,
    // Bundlers of Workers accept `browser`, too.
    ...(forServers.includes(name) ? { workerd: `./${path}.js`, browser: `./${notForBrowsers.file}` } : {}),
    default: `./${path}.js`,
  };
}
