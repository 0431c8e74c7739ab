/** The programs that a browser of WebKit's needs: a screen, the driver, and what the driver starts. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "../support/world.ts";

/** What the customer has before them. The browser's window fills the screen, and nothing but the page is in it. */
export interface Look {
  width: number;
  height: number;
  scheme: "light" | "dark";
}

/** Those of the browsers that are open: they end with their browser, and however the tests end. */
const running = new Set<WebKitPrograms>();
process.once("exit", () => {
  for (const programs of running) programs.end();
});

export class WebKitPrograms {
  #screen: ChildProcess | undefined;
  #driver: ChildProcess | undefined;

  /** Ready to be spoken to. */
  static async start(look: Look): Promise<{ programs: WebKitPrograms; driverUrl: string }> {
    const programs = new WebKitPrograms();
    running.add(programs);
    try {
      const display = await programs.#startScreen(look);
      return { programs, driverUrl: await programs.#startDriver(display, look) };
    } catch (error) {
      programs.end();
      throw error;
    }
  }

  end(): void {
    running.delete(this);
    if (this.#driver !== undefined) endGroup(this.#driver);
    // By this signal, since it then takes its lock with it.
    this.#screen?.kill("SIGTERM");
  }

  /** A screen without a monitor. Tells the number of its display. */
  async #startScreen({ width, height }: Look): Promise<string> {
    const size = ["-screen", "0", `${width}x${height}x24`];
    const screen = spawn("Xvfb", ["-displayfd", "1", "-nolisten", "tcp", ...size], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#screen = screen;
    const [number] = await beforeEndOf(screen, once(screen.stdout, "data"));
    return `:${String(number).trim()}`;
  }

  async #startDriver(display: string, { scheme }: Look): Promise<string> {
    const port = await freePort();
    const driver = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
      stdio: "ignore",
      // The first of a process group: the browser and its processes are in it too.
      detached: true,
      env: {
        ...process.env,
        DISPLAY: display,
        GDK_BACKEND: "x11",
        // The pages' scheme is that of the desktop's controls.
        GTK_THEME: scheme === "dark" ? "Adwaita:dark" : "Adwaita",
        // A desktop's services, which a test machine has not: without them every call waits for its time limit.
        NO_AT_BRIDGE: "1",
        GIO_USE_VFS: "local",
        // WebKit's sandbox needs namespaces that root has not in a container. The pages are our own.
        ...(process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" } : {}),
      },
    });
    this.#driver = driver;
    const url = `http://127.0.0.1:${port}`;
    await beforeEndOf(driver, untilReady(url));
    return url;
  }
}

/** @throws Error when the program cannot be started, or ends before. */
function beforeEndOf<T>(program: ChildProcess, ready: Promise<T>): Promise<T> {
  const ended = once(program, "exit").then(() => {
    throw new Error(`${program.spawnfile} ended before it was ready.`);
  });
  return Promise.race([ready, ended]);
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // All of it has ended by itself.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const answer = await fetch(`${url}/status`).catch((error: unknown) => error);
    if (answer instanceof Response && answer.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("WebKitWebDriver did not start.");
}
