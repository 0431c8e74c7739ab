/**
 * Findings of the doctor beside problems of the configuration: its line when a check passes, its line when it
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
  certificates: {
    passes: "Certificates are checked",
    fails: "NODE_TLS_REJECT_UNAUTHORIZED=0: this machine accepts every certificate",
    remedy:
      "Remove it: anyone on the way can read the chat key. For an authority of your own set NODE_EXTRA_CA_CERTS.",
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
  certificate: {
    passes: "The certificate at APP_ORIGIN is trusted",
    fails: "The certificate at APP_ORIGIN is not trusted from here",
    remedy:
      "Browsers refuse it, too, unless they know its authority: install the whole chain, renew it, or name your authority in NODE_EXTRA_CA_CERTS.",
  },
  host: {
    passes: "APP_ORIGIN's host is known",
    fails: "This machine does not find the host of APP_ORIGIN",
    remedy: "Check its spelling and the DNS. Behind a proxy, run the doctor where the public name resolves.",
  },
  proxy: {
    passes: "The proxy reaches the shop",
    fails: "At APP_ORIGIN a proxy answers, and the shop behind it does not",
    remedy: "Start the shop, or correct the address to which the proxy passes requests.",
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
  site: {
    passes: "Sec-Fetch-Site reaches the chat",
    fails: "A proxy drops the header Sec-Fetch-Site",
    remedy: "Let it pass: without it browsers cannot open the chat's pictures and files.",
  },
} satisfies Record<string, Problem>;

/** A note, not a failure: the doctor may run before the shop does. */
export const doesNotRun =
  "The shop does not answer at APP_ORIGIN from here. Once it runs, the doctor also checks whether streams pass.";

let failed = false;

/** Prints the result of one check, with its remedy if it failed. */
export function report(ok: boolean, what: string, remedy = ""): void {
  failed ||= !ok;
  console.log(`${ok ? "ok  " : "FAIL"}  ${what}${ok || remedy === "" ? "" : `\n      ${remedy}`}`);
}

export function note(what: string): void {
  console.log(`note  ${what}`);
}

/** @param found What the check found beside the problem, as a sentence. */
export function reportCheck(name: keyof typeof problems, ok: boolean, found = ""): void {
  const { passes, fails, remedy }: Problem = problems[name];
  report(ok, ok ? passes : fails, `${found}${remedy}`);
}

export const exitCode = () => (failed ? 1 : 0);
