/**
 * WebKit as WebKitGTK ships it, by its own driver: the few commands of WebDriver that the journeys need. Playwright
 * drives only a WebKit of its own, which is not in every package registry.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "../support/world.ts";

/** The protocol's name for a reference to an element. */
const elementKey = "element-6066-11e4-a52e-4f735466cecf";
export type Element = { [elementKey]: string };
type Scalar = string | number | boolean | null;

/** Keys without a character (WebDriver, Keyboard actions). */
export const keys = {
  enter: "\uE007",
  escape: "\uE00C",
  tab: "\uE004",
  shift: "\uE008",
  home: "\uE011",
  end: "\uE010",
  arrowDown: "\uE015",
} as const;

/** A screen without a monitor, where there is none. Tells the number of its display. */
async function startScreen(): Promise<{ display: string; screen?: ChildProcess }> {
  const given = process.env["DISPLAY"];
  if (given !== undefined && given !== "") return { display: given };
  const screen = spawn("Xvfb", ["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1600x1200x24"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [number] = await once(screen.stdout, "data");
  return { display: `:${String(number).trim()}`, screen };
}

export class WebDriver {
  readonly #session: string;
  readonly #programs: readonly ChildProcess[];

  private constructor(session: string, programs: readonly ChildProcess[]) {
    this.#session = session;
    this.#programs = programs;
  }

  static async start(): Promise<WebDriver> {
    const { display, screen } = await startScreen();
    const port = await freePort();
    const driver = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
      stdio: "ignore",
      env: {
        ...process.env,
        DISPLAY: display,
        GDK_BACKEND: "x11",
        // A desktop's services, which a test machine has not: without them every call waits for its time limit.
        NO_AT_BRIDGE: "1",
        GIO_USE_VFS: "local",
        // WebKit's sandbox needs namespaces that root has not in a container. The pages are our own.
        ...(process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" } : {}),
      },
    });
    const base = `http://127.0.0.1:${port}`;
    await untilReady(base);
    const { sessionId }: { sessionId: string } = await call("POST", `${base}/session`, {
      capabilities: { alwaysMatch: { timeouts: { script: 30_000, pageLoad: 60_000, implicit: 0 } } },
    });
    return new WebDriver(`${base}/session/${sessionId}`, [driver, ...(screen === undefined ? [] : [screen])]);
  }

  async stop(): Promise<void> {
    try {
      await call("DELETE", this.#session);
    } finally {
      for (const program of this.#programs) program.kill();
    }
  }

  go(url: string): Promise<void> {
    return this.#post("url", { url });
  }

  reload(): Promise<void> {
    return this.#post("refresh", {});
  }

  /** The window's own bars are within. */
  resize(width: number, height: number): Promise<void> {
    return this.#post("window/rect", { x: 0, y: 0, width, height });
  }

  async openTab(): Promise<string> {
    const { handle } = await this.#post<{ handle: string }>("window/new", { type: "tab" });
    return handle;
  }

  currentTab(): Promise<string> {
    return call("GET", `${this.#session}/window`);
  }

  switchTo(handle: string): Promise<void> {
    return this.#post("window", { handle });
  }

  closeTab(): Promise<void> {
    return call("DELETE", `${this.#session}/window`);
  }

  /** Runs a function in the page. It may return a promise. */
  run<A extends readonly (Scalar | Element)[], R>(
    script: (...args: A) => R,
    ...args: A
  ): Promise<Awaited<R>> {
    return this.#post("execute/sync", { script: `return (${script}).apply(null, arguments)`, args });
  }

  click(element: Element): Promise<void> {
    return this.#post(`element/${element[elementKey]}/click`, {});
  }

  /** Into a field; the path of a file into a choice of files. */
  type(element: Element, text: string): Promise<void> {
    return this.#post(`element/${element[elementKey]}/value`, { text });
  }

  /** Wherever the focus is. */
  async press(...pressed: string[]): Promise<void> {
    const actions = [
      ...pressed.map((value) => ({ type: "keyDown", value })),
      ...pressed.toReversed().map((value) => ({ type: "keyUp", value })),
    ];
    await this.#post("actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from(await call<string>("GET", `${this.#session}/screenshot`), "base64");
  }

  #post<T = void>(path: string, body: object): Promise<T> {
    return call("POST", `${this.#session}/${path}`, body);
  }
}

async function call<T>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { value }: { value: T & { error?: string; message?: string } } = await response.json();
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}

async function untilReady(base: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const answer = await fetch(`${base}/status`).catch((error: unknown) => error);
    if (answer instanceof Response && answer.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("WebKitWebDriver did not start.");
}
