/** The programs of a WebKit test: a virtual screen, the driver and the browser that it starts. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "../../testing/processes/program.ts";

/** The customer's screen. The browser window fills it and shows only the page. */
export interface Viewport {
  width: number;
  height: number;
  scheme: "light" | "dark";
}

/** The programs of open browsers. They end with their browser or with the test process. */
const running = new Set<WebKitPrograms>();
process.once("exit", () => {
  for (const programs of running) programs.end();
});

export class WebKitPrograms {
  #screen: ChildProcess | undefined;
  #driver: ChildProcess | undefined;

  /** Resolves when the driver accepts commands. */
  static async start(viewport: Viewport): Promise<{ programs: WebKitPrograms; driverUrl: string }> {
    const programs = new WebKitPrograms();
    running.add(programs);
    try {
      const display = await programs.#startScreen(viewport);
      return { programs, driverUrl: await programs.#startDriver(display, viewport) };
    } catch (error) {
      programs.end();
      throw error;
    }
  }

  end(): void {
    running.delete(this);
    if (this.#driver !== undefined) endGroup(this.#driver);
    // On this signal Xvfb removes its lock file.
    this.#screen?.kill("SIGTERM");
  }

  /** Starts a virtual screen and returns its display number. */
  async #startScreen({ width, height }: Viewport): Promise<string> {
    const size = ["-screen", "0", `${width}x${height}x24`];
    const screen = spawn("Xvfb", ["-displayfd", "1", "-nolisten", "tcp", ...size], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#screen = screen;
    const [number] = await beforeEndOf(screen, once(screen.stdout, "data"));
    return `:${String(number).trim()}`;
  }

  async #startDriver(display: string, { scheme }: Viewport): Promise<string> {
    const port = await freePort();
    const driver = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
      stdio: "ignore",
      // Leads a process group that includes the browser and its processes.
      detached: true,
      env: {
        ...process.env,
        DISPLAY: display,
        GDK_BACKEND: "x11",
        // Pages take their colour scheme from the GTK theme.
        GTK_THEME: scheme === "dark" ? "Adwaita:dark" : "Adwaita",
        // A test machine lacks a desktop's D-Bus services, and each call would wait for its timeout.
        NO_AT_BRIDGE: "1",
        GIO_USE_VFS: "local",
        // WebKit's sandbox needs namespaces that root lacks in a container. The pages are our own.
        ...(process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" } : {}),
      },
    });
    this.#driver = driver;
    const url = `http://127.0.0.1:${port}`;
    await beforeEndOf(driver, untilReady(url));
    return url;
  }
}

/** @throws Error when the program cannot start or ends before it is ready. */
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
    // All processes have ended already.
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
