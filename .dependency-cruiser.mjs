/**
 * The house's walls (README, "How the house is built"). Each rule names what would break without it.
 * Run by scripts/check-imports.ts, which also fails when fewer modules were read than the tree holds.
 */
const browserEntry = "^(components/(?!shop/server)|lib/conversation/)";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "channel-is-a-separate-program",
      comment: "The channel may be replaced by the hosted Chat API at any time.",
      severity: "error",
      from: { path: "^(app|components|lib|e2e|proxy\\.ts|instrumentation\\.ts)" },
      to: { path: "^channel/" },
    },
    {
      name: "channel-shares-only-the-contract",
      severity: "error",
      from: { path: "^channel/" },
      to: { path: "^(app|components|e2e|scripts|bench|lib/(?!chat-api/))" },
    },
    {
      name: "browser-code-never-reaches-the-server",
      comment: "lib/bff holds the chat key.",
      severity: "error",
      from: { path: browserEntry, pathNot: "\\.test\\.tsx?$" },
      to: { path: "^lib/bff/", reachable: true },
    },
    {
      name: "no-zod-in-browser-code",
      comment:
        "Answers of our own BFF are already validated; a schema library would be most of the chat's weight.",
      severity: "error",
      from: { path: "^(components/(chat|ui)|lib/conversation)/", pathNot: "\\.test\\.tsx?$" },
      to: { path: "^node_modules/zod", reachable: true },
    },
    {
      name: "lib-is-below-app-and-components",
      severity: "error",
      from: { path: "^lib/" },
      to: { path: "^(app|components)/" },
    },
    {
      name: "ui-primitives-know-nothing-of-us",
      severity: "error",
      from: { path: "^components/ui/" },
      to: { path: "^(app|lib|components/(?!ui/))" },
    },
    {
      name: "bff-is-plain-web-standard",
      comment: "The same handlers run without Next (npm run bff).",
      severity: "error",
      from: { path: "^lib/", pathNot: "\\.test\\.ts$" },
      to: { path: "^node_modules/next/" },
    },
    {
      name: "contract-stands-alone",
      severity: "error",
      from: { path: "^lib/chat-api/" },
      to: { path: "^lib/(?!chat-api/)" },
    },
    {
      name: "client-knows-only-the-contract",
      severity: "error",
      from: { path: "^lib/chat-client/" },
      to: { path: "^lib/(?!chat-api/|chat-client/)" },
    },
    {
      name: "conversation-is-pure",
      severity: "error",
      from: { path: "^lib/conversation/" },
      to: { path: "^(lib/(?!chat-api/|conversation/|chat-client/)|node_modules/react)" },
    },
    {
      name: "channel-domain-does-not-know-http",
      severity: "error",
      from: {
        path: "^channel/(chats|messages|files|collections|handoffs|turns|idempotency|agents|team|jobs|db)/",
        pathNot: "\\.test\\.ts$",
      },
      to: { path: "^channel/(http|console)/" },
    },
    {
      name: "only-turns-see-agents",
      severity: "error",
      from: { path: "^channel/(?!turns/|agents/|run\\.ts|channel\\.ts|testing/)", pathNot: "\\.test\\.ts$" },
      to: { path: "^channel/agents/", dependencyTypesNot: ["type-only"] },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(node_modules/(?!(zod|next|react)(/|$))|\\.next|\\.data)" },
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
