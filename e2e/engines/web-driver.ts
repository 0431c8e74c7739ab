/**
 * WebKit as WebKitGTK ships it, by its own driver: the few commands of WebDriver that the journeys need. Playwright
 * drives only a WebKit of its own, which is not in every package registry.
 */
import { type Look, WebKitPrograms } from "./webkit-programs.ts";

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

/**
 * Longer than any command of a journey takes, so that one that hangs is named, and the next are not waited for. The
 * browser's own limits are within.
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

  static async start(look: Look): Promise<WebDriver> {
    const { programs, driverUrl } = await WebKitPrograms.start(look);
    try {
      const { sessionId }: { sessionId: string } = await call("POST", `${driverUrl}/session`, {
        // A window that is not full has a bar, which is wider than a phone.
        capabilities: {
          alwaysMatch: {
            timeouts,
            "webkitgtk:browserOptions": { args: ["--automation", "--full-screen"] },
          },
        },
      });
      const driver = new WebDriver(`${driverUrl}/session/${sessionId}`, programs);
      // No desktop is there to make the window as large as the screen.
      await driver.#post("window/rect", { x: 0, y: 0, width: look.width, height: look.height });
      return driver;
    } catch (error) {
      programs.end();
      throw error;
    }
  }

  /** At once, whatever the browser is doing: it keeps nothing. */
  stop(): void {
    this.#programs.end();
  }

  go(url: string): Promise<void> {
    return this.#post("url", { url });
  }

  reload(): Promise<void> {
    return this.#post("refresh", {});
  }

  /**
   * What is said from now on is said to it. A tab opens behind the one in view, and the driver has no way to bring it to
   * the front: it is hidden, draws nothing, and what is pressed in it may not be answered. A window is in view.
   */
  async open(type: "tab" | "window"): Promise<void> {
    const { handle } = await this.#post<{ handle: string }>("window/new", { type });
    await this.switchTo(handle);
  }

  current(): Promise<string> {
    return call("GET", `${this.#session}/window`);
  }

  switchTo(handle: string): Promise<void> {
    return this.#post("window", { handle });
  }

  /** What is said next must be said to another. */
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

  /** Where a scrolled list covers it, the driver itself does not scroll: whoever presses would do so first. */
  async click(element: Element): Promise<void> {
    await this.run(
      (target) => (target as unknown as HTMLElement).scrollIntoView({ block: "nearest" }),
      element,
    );
    await this.#post(`element/${element[elementKey]}/click`, {});
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
    signal: AbortSignal.timeout(commandMilliseconds),
  });
  const { value }: { value: T & { error?: string; message?: string } } = await response.json();
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}
