/**
 * The host program of docs/runtimes.md on each runtime, called as a page calls it. `--write` puts the results
 * into the document; without it they must be those of the document.
 */
import { randomUUID } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Lab } from "../../channel/lab/lab-client.ts";
import { userIdOfCustomer } from "../../lib/bff/session/customer.ts";
import { type ChatClient, createChatClient, operationPath } from "../../lib/chat-client/public.ts";
import { freePort } from "../../processes/free-port.ts";
import { root } from "../../processes/root.ts";
import { type CodeBlock, codeBlocks } from "../../scripts/guide.ts";
import { testKeys } from "../../testing/test-keys.ts";
import { pageHeaders } from "../bff/shop-browser.ts";
import { png } from "../support/attachments.ts";
import { returnForm } from "../support/cards.ts";
import type { HostApp, Variables } from "./host-app.ts";
import { signInToken } from "./hosts.ts";

const page = join(root, "docs", "runtimes.md");
const blocks = codeBlocks(readFileSync(page, "utf8"));

const [bun, deno, wrangler] = ["1.4.5", "2.9.6", "4.164.0"];

/** Returns the command that starts the host at this port. */
type Start = (app: HostApp, port: number, variables: Variables) => Promise<string> | string;

export interface Parts {
  app: HostApp;
  channelUrl: string;
  nodeOf(version: string): Promise<string>;
  /** The variables of a host at this address. */
  environment(url: string): Variables;
  /** The guide's `lib/sign-in.ts`. */
  signIn: readonly CodeBlock[];
}

const customerId = "ada";

type Check = (host: RuntimeHost) => Promise<void>;

/** Columns of the table. Each needs the chat of the first. */
const checks: Readonly<Record<string, Check>> = {
  "streamed reply": async ({ client, chatId, lab }) => {
    const deltas = Array.from({ length: 40 }, (_, index) => `word${index} `);
    await lab.reply({ text: deltas.join(""), deltas, holdsAfter: 5 }, chatId);
    let text = "";
    let isContinued = false;
    const stream = client.streamMessage(chatId, { text: "Tell me more" }, key());
    await stream.read((event) => {
      if (event.type !== "delta") return;
      text += event.text;
      if (isContinued || !text.includes("word4")) return;
      // The reply waits in the channel, so what has arrived was not held back on the way.
      isContinued = true;
      void lab.continueReply(chatId);
    });
    requireThat(isContinued && text.includes("word39"), `the reply is "${text}"`);
  },
  replay: async ({ client, chatId }) => {
    const call = key();
    const first = await client.sendMessage(chatId, { text: "Once" }, call);
    const second = await client.sendMessage(chatId, { text: "Once" }, call);
    requireThat(second.replayed && first.item.message.id === second.item.message.id, "it was sent twice");
  },
  "upload, download": async ({ client, chatId }) => {
    const upload = { bytes: new Blob([png.slice()]), filename: "hub.png", mediaType: "image/png" };
    const { item } = await client.uploadFile(chatId, upload, key());
    const response = await client.downloadFile(chatId, item.id);
    const bytes = Buffer.from(await response.arrayBuffer());
    requireThat(bytes.equals(png), `${bytes.length} bytes came back`);
  },
  form: async ({ client, chatId, lab }) => {
    await lab.reply({ text: "A few details, please.", collection: returnForm }, chatId);
    await client.sendMessage(chatId, { text: "I want to return it" }, key());
    const { request, version } = await client.getCollection(chatId);
    const values = new Map([
      ["email", "ana@example.com"],
      ["reason", "damaged"],
    ]);
    const body = { collectionRequestId: request?.id ?? null, expectedVersion: version, values };
    await client.submitCollection(chatId, { ...body, action: "save" }, key());
  },
  "hand-over": async ({ client, chatId, lab }) => {
    await lab.reply({ text: "Shall I pass you on?", handoffOffer: true }, chatId);
    const { item } = await client.sendMessage(chatId, { text: "A person, please" }, key());
    const offer = item.reply?.handoffOffer;
    const body = { confirmationId: offer?.confirmationId ?? "", email: "ana@example.com" };
    await client.handoff(chatId, body, key());
  },
  "sign-out": async ({ call, chatId }) => {
    const signedOut = await call("POST", "/session", { cookie: "" });
    const { item } = await signedOut.json();
    const cookie = signedOut.headers.getSetCookie().join("").split(";", 1).join("");
    const read = await call("GET", `/chats/${chatId}`, { cookie });
    requireThat(item.customer === null && read.status === 404, `${read.status} after the sign-out`);
  },
  "at once": async ({ client, chatApi }) => {
    // Its owner is unknown to the host, so that the requests share one question to the Chat API.
    const { item } = await chatApi.createChat({ userId: userIdOfCustomer(customerId) }, key());
    await Promise.all(Array.from({ length: 20 }, () => client.listMessages(item.id)));
  },
};

interface RuntimeHost {
  lab: Lab;
  /** The Chat API without the host. */
  chatApi: ChatClient;
  client: ChatClient;
  chatId: string;
  call(method: string, path: string, headers: Record<string, string>): Promise<Response>;
}

const key = () => ({ idempotencyKey: randomUUID() });

function requireThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

async function openChat(url: string, channelUrl: string): Promise<RuntimeHost> {
  const base = `${url}/api/chat`;
  const cookie = `sign_in=${signInToken(customerId)}`;
  const headers = { ...pageHeaders, origin: url, cookie };
  const client = createChatClient({
    url: (operation, ids) => base + operationPath(operation, ids),
    headers: () => headers,
    mayRestart: true,
  });
  const { item } = await client.createChat({}, key());
  const { channelKey, chatKey, teamKey } = testKeys;
  return {
    lab: new Lab({ channelUrl, teamKey }),
    chatApi: createChatClient({
      url: (operation, ids) => `${channelUrl}/v1/channels/${channelKey}${operationPath(operation, ids)}`,
      headers: () => ({ authorization: `Bearer ${chatKey}` }),
    }),
    client,
    chatId: item.id,
    call: (method, path, own) =>
      fetch(base + path, {
        method,
        headers: { ...headers, ...(method === "POST" && { "content-type": "application/json" }), ...own },
        ...(method === "POST" && { body: "{}" }),
      }),
  };
}

const startsOnNode = (version: string): [string, (parts: Parts) => Start] => [
  `Node ${version}`,
  (parts) => async () => `${await parts.nodeOf(version)} node.ts`,
];

const runtimes: readonly [string, (parts: Parts) => Start][] = [
  startsOnNode("22.19"),
  startsOnNode("24"),
  startsOnNode("26"),
  [`Bun ${bun}`, () => (app) => `${programIn(app, "@oven/bun-*/bin/bun")} host.ts`],
  [
    `Deno ${deno}`,
    () => (app, port) =>
      `${programIn(app, "@deno/*/deno")} serve --allow-all --host 127.0.0.1 --port ${port} host.ts`,
  ],
  [`workerd, by wrangler ${wrangler}`, () => startWorkerd],
];

/** The program inside a package for this platform, which install scripts would link. */
function programIn(app: HostApp, pattern: string): string {
  const [program] = globSync(pattern, { cwd: join(app.folder, "node_modules") });
  if (program === undefined) throw new Error(`There is no ${pattern}`);
  return join(app.folder, "node_modules", program);
}

/** Bundles as a deployment does, and serves the bundle as Cloudflare does. */
async function startWorkerd(app: HostApp, port: number, variables: Variables): Promise<string> {
  await app.run("npx wrangler deploy --dry-run --outdir worker", { WRANGLER_SEND_METRICS: "false" });
  const bindings = Object.entries(variables).map(
    ([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`,
  );
  app.writeFile(
    "workerd.capnp",
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "chat", worker = .chat),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "chat")],
);
const chat :Workerd.Worker = (
  modules = [(name = "host.js", esModule = embed "worker/host.js")],
  compatibilityDate = "2026-11-01",
  bindings = [${bindings.join(", ")}],
);
`,
  );
  return `${programIn(app, "@cloudflare/workerd-*/bin/workerd")} serve workerd.capnp`;
}

export async function tryRuntimes(parts: Parts): Promise<void> {
  const { app, channelUrl, environment, signIn } = parts;
  await app.run(`npm init -y
npm pkg set type=module
npm install ../shop-chat/dist/shop-chat-[0-9]*.tgz jose @hono/node-server
npm install --ignore-scripts bun@${bun} deno@${deno} wrangler@${wrangler}`);
  app.write([...blocks, ...signIn]);
  const rows: string[][] = [];
  for (const [name, startOn] of runtimes) {
    const start = startOn(parts);
    const cells: string[] = [];
    const note = async (what: string, check: () => Promise<void>) => {
      const problem = await check().then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      process.stdout.write(`[${name}] ${what}: ${problem ?? "passed"}\n`);
      cells.push(problem === undefined ? "✓" : "no");
      if (problem !== undefined) process.stdout.write(app.output);
    };
    const serve = async (changed: Variables, health: string) => {
      const port = await freePort();
      const url = `http://localhost:${port}`;
      const variables = { ...environment(url), PORT: String(port), HOST: "127.0.0.1", ...changed };
      await app.start(await start(app, port, variables), variables, `http://127.0.0.1:${port}${health}`);
      return url;
    };
    const url = await serve({}, "/api/chat/health/ready");
    const host = await openChat(url, channelUrl);
    for (const [what, check] of Object.entries(checks)) await note(what, () => check(host));
    app.stop();
    const unconfigured = await serve({ CHAT_KEY: "" }, "/api/chat/health/live");
    await note("without a key", async () => {
      const response = await fetch(`${unconfigured}/api/chat/session`, { method: "POST", body: "{}" });
      const { error } = await response.json();
      requireThat(error.code === "chat_unavailable", error.code);
      requireThat(app.output.includes("CHAT_KEY"), "the log does not name the cause");
    });
    app.stop();
    rows.push([name, ...cells]);
  }
  const head = ["", ...Object.keys(checks), "without a key"];
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  const written = readFileSync(page, "utf8").replace(
    /(<!-- table -->\n).*?(<!-- end -->)/s,
    (_, begin: string, end: string) => `${begin}\n${lines.join("\n")}\n\n${end}`,
  );
  if (process.argv.includes("--write")) writeFileSync(page, written);
  else if (written !== readFileSync(page, "utf8"))
    throw new Error("docs/runtimes.md says something else: see above, or `--write` it");
}
