/** Import rules (README, "Folders"). Each rule names what would break without it. */
const browserEntry = "^(components/(?!shop/server)|lib/engine/)";

/** The channel's layers, from the top: each imports only from itself and those below (channel/README.md). */
const channelLayers = [
  "(?:bin|command|main|run|start-channel|environment|root|stored-key|channels?|[^/]+\\.test)\\.ts|testing/",
  "team/|lab/|console/|openapi/",
  "api/|http/(?!request-body\\.ts)",
  "turns/",
  "chats/|messages/|files/|collections/|handoffs/|settings/|jobs/|idempotency/",
  "db/|agents/|http/request-body\\.ts|(?:channel-limits|core|errors|holders|ids|kill-points|loopback|report-error|retry)\\.ts",
];
const matching = (pattern) => (typeof pattern === "string" ? { path: pattern } : pattern);
/** No file of `from` imports one of `to`: each a path, or conditions. */
const no = (name, from, to) => ({ name, severity: "error", from: matching(from), to: matching(to) });

const tests = "\\.test\\.tsx?$";
/** Tests and their support. */
const testCode = `${tests}|[^/]/testing/|^scripts/(test|test-browser|test-services)\\.ts$`;
const atRunTime = { dependencyTypesNot: ["type-only"] };

const noUpwardImports = channelLayers
  .slice(1)
  .map((layer, index) =>
    no(
      "channel-imports-downward",
      { path: `^channel/(${layer})`, pathNot: tests },
      `^channel/(${channelLayers.slice(0, index + 1).join("|")})`,
    ),
  );

const forbidden = [
  no("no-cycles", {}, { circular: true, ...atRunTime }),
  // Read without tests (`productOnly`).
  { ...no("no-folder-cycles", {}, { circular: true }), scope: "folder" },
  // The channel may be replaced by the hosted Chat API at any time. Tests use its lab's client, and the
  // simulation runs it in its own process.
  no(
    "channel-is-a-separate-program",
    {
      path: "^(app|components|lib|e2e|testing|proxy\\.ts|instrumentation\\.ts)",
      pathNot: "^e2e/simulation/real-[a-z]+\\.ts$",
    },
    { path: "^channel/", pathNot: "^channel/lab/lab-client\\.ts$" },
  ),
  no("lab-is-for-tests", { path: "^(app|components|lib)/", pathNot: testCode }, "^channel/"),
  no(
    "channel-shares-only-the-contract",
    "^channel/",
    "^(app|agent|components|e2e|scripts|bench|lib/(?!chat-api/))",
  ),
  no("programs-start-no-tests", { path: "^(channel|processes|scripts)/", pathNot: testCode }, "^testing/"),
  ...noUpwardImports,
  no("channel-folder-without-a-layer", `^channel/(?!${channelLayers.join("|")})`, {}),
  // The demo's agent is loaded by the channel through one interface.
  no(
    "agent-knows-the-contract-and-the-shop",
    "^agent/",
    "^(app|components|e2e|scripts|bench|channel/(?!agents/(agent|load-agent)\\.ts)|lib/(?!chat-api/|shop/))",
  ),
  // The channel loads it by path.
  no("agent-may-be-left-out", "^(?!agent/)", "^agent/"),
  // lib/bff holds the chat key. scripts/check-bundle-size.ts looks for it in what browsers load.
  no(
    "browser-code-never-imports-the-server",
    { path: browserEntry, pathNot: tests },
    "^lib/(bff/|shop/server/(chat|sign-in)\\.ts)",
  ),
  // A host takes the kit and leaves the demo.
  no(
    "kit-knows-nothing-of-the-shop",
    "^(lib/(bff|chat-api|chat-client|engine)|components/(chat|ui))/",
    "^(lib/shop|components/shop|app)/",
  ),
  // By the entry points of the package alone (scripts/package/manifest.ts). The gallery is the chat's own,
  // drawn by the shop's development server. Tests compare the shop's content with the contract.
  no(
    "shop-uses-the-kit-as-any-host-does",
    {
      path: "^(app/(?!gallery/)|components/shop/|lib/shop/|proxy\\.ts|instrumentation\\.ts)",
      pathNot: tests,
    },
    {
      path: "^(lib/(bff|engine|chat-api|chat-client)|components/chat)/",
      pathNot:
        "^(lib/bff/(server|next|node|pages)\\.ts|lib/chat-client/public\\.ts|components/chat/chat-widget\\.tsx)$",
    },
  ),
  no("lib-is-below-app-and-components", "^lib/", "^(app|components)/"),
  no("ui-primitives-know-nothing-of-us", "^components/ui/", "^(app|lib|components/(?!ui/))"),
  // components/ui/link.tsx waits for a pointer; next/link itself fetches every page on screen.
  no("links-fetch-no-page-ahead", { pathNot: "^components/ui/link\\.tsx$" }, "^node_modules/next/link"),
  // The same handlers run without Next (npm run bff).
  no("bff-is-plain-web-standard", { path: "^lib/", pathNot: tests }, "^node_modules/next/"),
  no("contract-stands-alone", "^lib/chat-api/", "^lib/(?!chat-api/)"),
  no("client-knows-only-the-contract", "^lib/chat-client/", "^lib/(?!chat-api/|chat-client/)"),
  // A host may render the chat with its own components.
  no("engine-knows-no-view", "^lib/engine/", "^(lib/(?!chat-api/|engine/|chat-client/)|node_modules/react)"),
  // Requests, idempotency keys and storage are the engine's, which outlives what is on screen.
  no(
    "views-send-and-store-nothing",
    { path: "^components/", pathNot: `${tests}|(^|/)(fixtures|testing)/` },
    {
      path: "^lib/(chat-client/|engine/(browser|delivery|forms|history|identity|storage|tabs|uploads)/|engine/(new-key|room)\\.ts)",
      ...atRunTime,
    },
  ),
  no(
    "channel-domain-does-not-know-http",
    "^channel/team/team-(actions|chat|inbox|messages|requests)\\.ts$",
    "^channel/(api|http)/",
  ),
  // It shows any channel through `/team` and `/lab`.
  no(
    "console-is-a-client",
    { path: "^channel/console/", pathNot: tests },
    {
      path: "^channel/(?!console/|http/)",
      ...atRunTime,
    },
  ),
  no(
    "only-turns-see-agents",
    { path: "^channel/(?!turns/|agents/|run\\.ts|start-channel\\.ts|testing/)", pathNot: tests },
    { path: "^channel/agents/", ...atRunTime },
  ),
  no("resolvable", {}, { couldNotResolve: true }),
];

/** Files that are not read at all. */
const excluded = "^(node_modules/(?!(zod|next|react)(/|$))|\\.next|\\.data)";

/** Tests and their support may import upward, because product code does not import them. */
export const productOnly = { path: `${excluded}|${tests}|[^/]/testing/` };

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden,
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
