#!/usr/bin/env node
/**
 * A relay between Playwright and the installed Firefox over WebDriver BiDi. Playwright starts this file as
 * its browser. Playwright sets each page's colour scheme by a command that Firefox does not know yet
 * (`emulation.setMediaFeaturesOverride`), and opens no page when it fails. The relay answers the command and
 * sets the scheme in the browser's preferences instead. They apply to the whole browser, and each worker has
 * its own. Playwright does not request the bodies of requests either, so the relay adds them where `bodyOf`
 * reads them.
 */
import { spawn } from "node:child_process";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { relayedBody } from "../support/sent-body.ts";

interface Command {
  id: number;
  method: string;
  params: {
    features?: { "prefers-color-scheme"?: "light" | "dark" | null };
    dataTypes?: ("request" | "response")[];
    headers?: Header[];
  };
}
interface BytesValue {
  type: "string" | "base64";
  value: string;
}
interface Header {
  name: string;
  value: BytesValue;
}
interface Event {
  type: "event";
  method: string;
  params: { url?: string; request?: { request: string; bodySize: number | null; headers: Header[] } };
}
type Answer =
  | { type: "success"; id: number; result: { contexts?: { context: string }[]; bytes?: BytesValue } }
  | { type: "error"; id: number; error: string; message: string };
type Message = Answer | Event;

const executable = process.env["FIREFOX_PATH"];
if (executable === undefined) throw new Error("FIREFOX_PATH names no Firefox.");

// Lets the relay change preferences, which only the browser's own window can do, not a page.
const firefox = spawn(executable, ["--remote-allow-system-access", ...process.argv.slice(2)], {
  stdio: ["ignore", "inherit", "pipe"],
});
firefox.once("exit", (code) => process.exit(code ?? 1));
process.once("SIGTERM", () => firefox.kill());

firefox.stderr.setEncoding("utf8");
firefox.stderr.on("data", (text: string) => {
  const address = /WebDriver BiDi listening on (ws:\S+)/.exec(text)?.[1];
  if (address === undefined) process.stderr.write(text);
  else listenFor(`${address}/session`);
});

function listenFor(address: string): void {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 }, () => {
    const bound = server.address();
    if (bound === null || typeof bound === "string") throw new Error("no port to listen on");
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${bound.port}\n`);
  });
  server.on("connection", (playwright) => relay(playwright, new WebSocket(address)));
}

function relay(playwright: WebSocket, browser: WebSocket): void {
  const own = new OwnCommands(browser);
  const forward = (data: RawData) => {
    const command: Command = JSON.parse(data.toString());
    const { method, params } = command;
    if (method === "emulation.setMediaFeaturesOverride") return void emulate(command);
    // Playwright's collector of response bodies can keep request bodies, too.
    if (method === "network.addDataCollector") params.dataTypes?.push("request");
    if (method === "network.continueRequest" && params.headers !== undefined)
      params.headers = params.headers.filter(({ name }) => name.toLowerCase() !== relayedBody);
    browser.send(JSON.stringify(command));
  };
  const emulate = ({ id, params }: Command) =>
    own.prepare(params.features?.["prefers-color-scheme"] ?? "light").then(
      () => playwright.send(JSON.stringify({ type: "success", id, result: {} })),
      (error: unknown) =>
        playwright.send(
          JSON.stringify({ type: "error", id, error: "unknown error", message: String(error) }),
        ),
    );

  // Queues Playwright's messages until the browser listens.
  const early: RawData[] = [];
  browser.once("open", () => {
    for (const data of early) forward(data);
  });
  playwright.on("message", (data: RawData) => {
    if (browser.readyState === WebSocket.CONNECTING) early.push(data);
    else forward(data);
  });
  // Keeps the order: later events wait while the body of a request is being read.
  let passedOn = Promise.resolve();
  browser.on("message", (data: RawData) => {
    const message: Message = JSON.parse(data.toString());
    if ("id" in message && own.takes(message)) return;
    passedOn = passedOn.then(async () => {
      if ("method" in message) await complete(message, own);
      playwright.send(JSON.stringify(message));
    });
  });
  playwright.once("close", () => browser.close());
  browser.once("close", () => playwright.close());
}

/** Adds data that Playwright expects and Firefox omits. */
async function complete({ method, params }: Event, own: OwnCommands): Promise<void> {
  // Playwright ignores a download without a suggested name, such as that of a file that the page created.
  if (method.startsWith("browsingContext.download"))
    Object.assign(params, { download: params.url, ...params });
  const { request } = params;
  if (method !== "network.beforeRequestSent" || request === undefined || !request.bodySize) return;
  const text = await own.textOf(request.request);
  if (text === undefined) return;
  const value = Buffer.from(text).toString("base64");
  request.headers.push({ name: relayedBody, value: { type: "string", value } });
}

/** The relay's own commands, with IDs apart from Playwright's, which count up from 1. */
class OwnCommands {
  readonly #browser: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #nextId = 2 ** 40;
  #textIsTyped: Promise<unknown> | undefined;

  constructor(browser: WebSocket) {
    this.#browser = browser;
  }

  /** Called before a context's first page and when its scheme changes. */
  async prepare(scheme: "light" | "dark"): Promise<void> {
    this.#textIsTyped ??= this.#send("script.addPreloadScript", { functionDeclaration: String(typeText) });
    await this.#textIsTyped;
    await this.#setScheme(scheme);
  }

  async #setScheme(scheme: "light" | "dark"): Promise<void> {
    const tree = await this.#send("browsingContext.getTree", { "moz:scope": "chrome", maxDepth: 0 });
    const value = scheme === "dark" ? 0 : 1;
    await this.#send("script.evaluate", {
      expression: `Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", ${value})`,
      target: { context: tree.contexts?.[0]?.context },
      awaitPromise: false,
    });
  }

  /** The request's body; undefined when it is not text. */
  async textOf(request: string): Promise<string | undefined> {
    const { bytes } = await this.#send("network.getData", { dataType: "request", request });
    return bytes?.type === "string" ? bytes.value : undefined;
  }

  /** True for a response to one of the relay's own commands. */
  takes(answer: Answer): boolean {
    const receive = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    receive?.(answer);
    return receive !== undefined;
  }

  async #send(method: string, params: object): Promise<Extract<Answer, { type: "success" }>["result"]> {
    const id = this.#nextId++;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#browser.send(JSON.stringify({ id, method, params }));
    });
    if (answer.type === "error") throw new Error(`${method}: ${answer.error}: ${answer.message}`);
    return answer.result;
  }
}

/**
 * Replaces Playwright's `fill` in every page. Playwright sets `value` through React's wrapper, and React then
 * sees no change at the following event. The browser's editing command inserts text as a keyboard does.
 */
function typeText(): void {
  Object.defineProperty(window, "__pw_bidiInsertText", {
    get: () => (text: string) => void document.execCommand("insertText", false, text),
    set: () => undefined,
  });
}
