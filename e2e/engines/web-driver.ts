/**
 * WebKitGTK's WebKit through its own WebDriver, with only the commands that the journeys need. Playwright
 * supports only its own WebKit build, which not every package registry has.
 */
import { startWebKitPrograms, type Viewport, type WebKitPrograms } from "./webkit-programs.ts";

/** The WebDriver key of an element reference. */
const elementKey = "element-6066-11e4-a52e-4f735466cecf";
export type Element = { [elementKey]: string };
type Scalar = string | number | boolean | null;

/** Code points of special keys (WebDriver, "Keyboard actions"). */
export const keys = {
  enter: "\uE007",
  escape: "\uE00C",
  tab: "\uE004",
  shift: "\uE008",
  arrowDown: "\uE015",
} as const;

/**
 * Longer than any command takes, so that a hanging one is reported by name and ends the test. The browser's
 * own time limits are shorter.
 */
const commandMilliseconds = 45_000;
const timeouts = { script: 30_000, pageLoad: 40_000, implicit: 0 };

export class WebDriver {
  readonly #session: string;
  readonly #programs: WebKitPrograms;

  private constructor(session: string, programs: WebKitPrograms) {
    this.#session = session;
    this.#programs = programs;
  }

  static async start(viewport: Viewport): Promise<WebDriver> {
    const programs = await startWebKitPrograms(viewport);
    const { driverUrl } = programs;
    try {
      const { sessionId }: { sessionId: string } = await call("POST", `${driverUrl}/session`, {
        // Only a full-screen window can be as narrow as a phone: title bars have a minimum width.
        capabilities: {
          alwaysMatch: { timeouts, "webkitgtk:browserOptions": { args: ["--automation", "--full-screen"] } },
        },
      });
      const driver = new WebDriver(`${driverUrl}/session/${sessionId}`, programs);
      // Without a window manager nothing else enlarges the window to the screen.
      await driver.#post("window/rect", { x: 0, y: 0, width: viewport.width, height: viewport.height });
      return driver;
    } catch (error) {
      programs.end();
      throw error;
    }
  }

  /** Kills the browser, which has no state to save. */
  stop(): void {
    this.#programs.end();
  }

  go(url: string): Promise<void> {
    return this.#post("url", { url });
  }

  reload(): Promise<void> {
    return this.#post("refresh", {});
  }

  /** Opens a window and directs the next commands to it. */
  async openWindow(): Promise<void> {
    const { handle } = await this.#post<{ handle: string }>("window/new", { type: "window" });
    await this.switchTo(handle);
  }

  current(): Promise<string> {
    return call("GET", `${this.#session}/window`);
  }

  switchTo(handle: string): Promise<void> {
    return this.#post("window", { handle });
  }

  /** Closes the window. The next command must select another one. */
  close(): Promise<void> {
    return call("DELETE", `${this.#session}/window`);
  }

  /** Runs a function in the page. It may return a promise. */
  run<A extends readonly (Scalar | Element)[], R>(
    script: (...args: A) => R,
    ...args: A
  ): Promise<Awaited<R>> {
    return this.#post("execute/sync", { script: `return (${script}).apply(null, arguments)`, args });
  }

  /** Scrolls first, because the driver does not scroll to an element that a list covers. */
  async click(element: Element): Promise<void> {
    await this.run(
      (target) => (target as unknown as HTMLElement).scrollIntoView({ block: "nearest" }),
      element,
    );
    await this.#post(`element/${element[elementKey]}/click`, {});
  }

  /** Types into a field, or sets the path of a file input. */
  type(element: Element, text: string): Promise<void> {
    return this.#post(`element/${element[elementKey]}/value`, { text });
  }

  /** Sends keys to the focused element. */
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
    signal: AbortSignal.timeout(commandMilliseconds),
  });
  const { value }: { value: T & { error?: string; message?: string } } = await response.json();
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}
