/**
 * What the doctor finds beside problems of the configuration: its line when a check passes, its line when it
 * fails, and the remedy. docs/troubleshooting.md lists them.
 */
export interface Problem {
  passes: string;
  fails: string;
  remedy: string;
}

export const problems = {
  node: {
    passes: "Node is new enough",
    fails: "Node is older than 22.19",
    remedy: "Use Node 22.19 or later; 24 is several times cheaper to run.",
  },
  started: {
    passes: "The demo has its keys",
    fails: "The demo has not been started yet",
    remedy: "Run `npm run dev` once, or set the three CHAT_ variables.",
  },
  redis: {
    passes: "Redis answers",
    fails: "Redis does not answer",
    remedy: "Check REDIS_URL. Without Redis each process counts its limits for itself.",
  },
  clock: {
    passes: "The clock agrees with the Chat API's",
    fails: "The clock differs from the Chat API's by more than a minute",
    remedy: "Synchronise it (`timedatectl set-ntp true`): sessions and signatures end too early or too late.",
  },
  otherProgram: {
    passes: "The chat answers at APP_ORIGIN",
    fails: "At APP_ORIGIN another program answers for the chat",
    remedy: "Send /api/chat/ to this server, at the proxy or in the app's routes, or correct APP_ORIGIN.",
  },
  stream: {
    passes: "The proxy passes streams on at once",
    fails: "The pieces of a stream arrive together: a proxy buffers or compresses it",
    remedy:
      "Turn that off for /api/chat/ (nginx: `proxy_buffering off; gzip off;`), as docs/production.md does.",
  },
} satisfies Record<string, Problem>;

/** Said, and no failure: the doctor also runs before the shop does. */
export const doesNotRun =
  "The shop does not answer at APP_ORIGIN from here. Once it runs, the doctor also checks whether streams pass.";
