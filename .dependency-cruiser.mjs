/**
 * Import rules (README, "Folders"). Each rule names what would break without it.
 * Run by scripts/check-imports.ts, which also fails when fewer modules were read than the tree holds.
 */
const browserEntry = "^(components/(?!shop/server)|lib/engine/)";

/** The channel's layers, from the top: each imports only from itself and those below (channel/README.md). */
const channelLayers = [
  "(?:bin|command|main|run|start-channel|environment|root|stored-key|channels?|[^/]+\\.test)\\.ts|testing/",
  "team/|lab/|console/|openapi/",
  "api/|http/(?!request-body\\.ts)",
  "turns/",
  "chats/|messages/|files/|collections/|handoffs/|settings/|jobs/|idempotency/",
  "db/|agents/|http/request-body\\.ts|(?:channel-limits|clock|ids|kill-points|loopback|report-error|retry|start-error|until-aborted)\\.ts",
];
const noUpwardImports = channelLayers.slice(1).map((layer, index) => ({
  name: "channel-imports-downward",
  from: { path: `^channel/(${layer})`, pathNot: "\\.test\\.ts$" },
  to: { path: `^channel/(${channelLayers.slice(0, index + 1).join("|")})` },
}));

const rules = [
  {
    name: "no-cycles",
    from: {},
    to: { circular: true, dependencyTypesNot: ["type-only"] },
  },
  {
    name: "no-folder-cycles",
    comment: "Read without tests (`productOnly`).",
    scope: "folder",
    from: {},
    to: { circular: true },
  },
  {
    name: "channel-is-a-separate-program",
    comment: "The channel may be replaced by the hosted Chat API at any time.",
    from: { path: "^(app|components|lib|e2e|proxy\\.ts|instrumentation\\.ts)" },
    to: { path: "^channel/" },
  },
  {
    name: "channel-shares-only-the-contract",
    from: { path: "^channel/" },
    to: { path: "^(app|agent|components|e2e|scripts|bench|lib/(?!chat-api/))" },
  },
  ...noUpwardImports,
  {
    name: "channel-folder-without-a-layer",
    from: { path: `^channel/(?!${channelLayers.join("|")})` },
    to: {},
  },
  {
    name: "agent-knows-the-contract-and-the-shop",
    comment: "The demo's agent is loaded by the channel through one interface.",
    from: { path: "^agent/" },
    to: {
      path: "^(app|components|e2e|scripts|bench|channel/(?!agents/(agent|load-agent)\\.ts)|lib/(?!chat-api/|shop/))",
    },
  },
  {
    name: "agent-may-be-left-out",
    comment: "The channel loads it by path.",
    from: { path: "^(?!agent/)" },
    to: { path: "^agent/" },
  },
  {
    name: "browser-code-never-reaches-the-server",
    comment: "lib/bff holds the chat key.",
    from: { path: browserEntry, pathNot: "\\.test\\.tsx?$" },
    to: { path: "^lib/bff/", reachable: true },
  },
  {
    name: "no-zod-in-browser-code",
    comment:
      "Answers of our own BFF are already validated; a schema library would be most of the chat's weight.",
    from: { path: "^(components/(chat|ui)|lib/engine)/", pathNot: "\\.test\\.tsx?$" },
    to: { path: "^node_modules/zod", reachable: true },
  },
  {
    name: "kit-knows-nothing-of-the-shop",
    comment: "A host takes the kit and leaves the demo.",
    from: { path: "^(lib/(bff|chat-api|chat-client|engine)|components/(chat|ui))/" },
    to: { path: "^(lib/shop|components/shop|app)/" },
  },
  {
    name: "shop-uses-the-kit-as-any-host-does",
    comment:
      "By the entry points of the package alone (scripts/package/entries.ts). The gallery is the chat's own, drawn by the shop's development server. Tests compare the shop's content with the contract.",
    from: {
      path: "^(app/(?!gallery/)|components/shop/|lib/shop/|proxy\\.ts|instrumentation\\.ts)",
      pathNot: "\\.test\\.tsx?$",
    },
    to: {
      path: "^(lib/(bff|engine|chat-api|chat-client)|components/chat)/",
      pathNot:
        "^(lib/bff/(server|next|node|pages)\\.ts|lib/chat-client/public\\.ts|components/chat/chat-widget\\.tsx)$",
    },
  },
  {
    name: "lib-is-below-app-and-components",
    from: { path: "^lib/" },
    to: { path: "^(app|components)/" },
  },
  {
    name: "ui-primitives-know-nothing-of-us",
    from: { path: "^components/ui/" },
    to: { path: "^(app|lib|components/(?!ui/))" },
  },
  {
    name: "links-fetch-no-page-ahead",
    comment: "components/ui/link.tsx turns prefetching off; next/link itself fetches every page on screen.",
    from: { pathNot: "^components/ui/link\\.tsx$" },
    to: { path: "^node_modules/next/link" },
  },
  {
    name: "bff-is-plain-web-standard",
    comment: "The same handlers run without Next (npm run bff).",
    from: { path: "^lib/", pathNot: "\\.test\\.ts$" },
    to: { path: "^node_modules/next/" },
  },
  {
    name: "contract-stands-alone",
    from: { path: "^lib/chat-api/" },
    to: { path: "^lib/(?!chat-api/)" },
  },
  {
    name: "client-knows-only-the-contract",
    from: { path: "^lib/chat-client/" },
    to: { path: "^lib/(?!chat-api/|chat-client/)" },
  },
  {
    name: "engine-knows-no-view",
    comment: "A host may render the chat with its own components.",
    from: { path: "^lib/engine/" },
    to: { path: "^(lib/(?!chat-api/|engine/|chat-client/)|node_modules/react)" },
  },
  {
    name: "views-send-and-store-nothing",
    comment: "Requests, idempotency keys and storage are the engine's, which outlives what is on screen.",
    from: {
      path: "^components/",
      pathNot: "\\.test\\.tsx?$|(^|/)(fixtures|testing)/",
    },
    to: {
      path: "^lib/(chat-client/|engine/(browser|delivery|forms|history|identity|storage|tabs|uploads)/|engine/(new-key|room)\\.ts)",
      dependencyTypesNot: ["type-only"],
    },
  },
  {
    name: "channel-domain-does-not-know-http",
    from: {
      path: "^channel/team/team-(actions|chat|inbox|messages|requests)\\.ts$",
    },
    to: { path: "^channel/(api|http)/" },
  },
  {
    name: "only-turns-see-agents",
    from: {
      path: "^channel/(?!turns/|agents/|run\\.ts|start-channel\\.ts|testing/)",
      pathNot: "\\.test\\.ts$",
    },
    to: { path: "^channel/agents/", dependencyTypesNot: ["type-only"] },
  },
  { name: "resolvable", from: {}, to: { couldNotResolve: true } },
];

/** What is not read at all. */
const excluded = "^(node_modules/(?!(zod|next|react)(/|$))|\\.next|\\.data)";

/** Tests and their support may import upward, because product code does not import them. */
export const productOnly = { path: `${excluded}|\\.test\\.tsx?$|(^|/)testing/` };

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: rules.map((rule) => ({ severity: "error", ...rule })),
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: excluded },
    tsPreCompilationDeps: true,
    parser: "swc",
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
    builtInModules: { add: ["server-only"] },
  },
};
