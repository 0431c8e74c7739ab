#!/usr/bin/env node
/**
 * Firefox as it is installed, for Playwright, which starts this file in its place and speaks WebDriver BiDi through it.
 * Playwright gives every page a colour scheme by a command that Firefox does not know yet
 * (`emulation.setMediaFeaturesOverride`), and opens none when it fails. It is answered here: the scheme is set in the
 * browser's preferences. These hold for the whole browser, of which every worker of a run has one.
 */
import { spawn } from "node:child_process";
import { type RawData, WebSocket, WebSocketServer } from "ws";

interface Command {
  id: number;
  method: string;
  params: { features?: { "prefers-color-scheme"?: "light" | "dark" | null } };
}
interface Event {
  type: "event";
  method: string;
  params: { url?: string };
}
type Answer =
  | { type: "success"; id: number; result: { contexts?: { context: string }[] } }
  | { type: "error"; id: number; error: string; message: string };
type Message = Answer | Event;

const executable = process.env["FIREFOX_PATH"];
if (executable === undefined) throw new Error("FIREFOX_PATH names no Firefox.");

// Preferences are out of a page's reach: the relay needs the browser's own window.
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
    if (command.method !== "emulation.setMediaFeaturesOverride") return browser.send(data, { binary: false });
    own.prepare(command.params.features?.["prefers-color-scheme"] ?? "light").then(
      () => playwright.send(JSON.stringify({ type: "success", id: command.id, result: {} })),
      (error: unknown) =>
        playwright.send(
          JSON.stringify({ type: "error", id: command.id, error: "unknown error", message: String(error) }),
        ),
    );
  };

  // What Playwright says before the browser listens.
  const early: RawData[] = [];
  browser.once("open", () => {
    for (const data of early) forward(data);
  });
  playwright.on("message", (data: RawData) => {
    if (browser.readyState === WebSocket.CONNECTING) early.push(data);
    else forward(data);
  });
  browser.on("message", (data: RawData) => {
    const message: Message = JSON.parse(data.toString());
    if ("id" in message && own.takes(message)) return;
    if ("method" in message && message.method.startsWith("browsingContext.download")) {
      // A file that a page made itself: without a name for it, Playwright takes no notice of it.
      playwright.send(
        JSON.stringify({ ...message, params: { download: message.params.url, ...message.params } }),
      );
    } else playwright.send(data, { binary: false });
  });
  playwright.once("close", () => browser.close());
  browser.once("close", () => playwright.close());
}

/** Commands of the relay among those of Playwright, which counts its own up from 1. */
class OwnCommands {
  readonly #browser: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #nextId = 2 ** 40;
  #textIsTyped: Promise<unknown> | undefined;

  constructor(browser: WebSocket) {
    this.#browser = browser;
  }

  /** Before a context's first page, and whenever its scheme changes. */
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

  /** Whether this was an answer to a command of the relay's. */
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
 * In every page, in the place of Playwright's own: that one sets `value` through React's wrapper of it, which then takes
 * the event that follows for no change. The browser's own editing command inserts text as a keyboard does.
 */
function typeText(): void {
  Object.defineProperty(window, "__pw_bidiInsertText", {
    get: () => (text: string) => void document.execCommand("insertText", false, text),
    set: () => undefined,
  });
}
