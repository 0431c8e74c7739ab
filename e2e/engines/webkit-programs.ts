/** The programs of a WebKit test: a virtual screen, the driver and the browser that it starts. */
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";

/** The customer's screen. The browser window fills it and shows only the page. */
export interface Viewport {
  width: number;
  height: number;
  scheme: "light" | "dark";
}

export interface WebKitPrograms {
  driverUrl: string;
  end(): void;
}

/** Resolves when the driver accepts commands. */
export async function startWebKitPrograms(viewport: Viewport): Promise<WebKitPrograms> {
  const { screen, display } = await startScreen(viewport);
  const driverUrl = `http://127.0.0.1:${await freePort()}`;
  const driver = startDriver(driverUrl, display, viewport);
  const end = () => {
    driver.signal("SIGKILL");
    // Xvfb removes its lock file on SIGTERM.
    screen.signal("SIGTERM");
  };
  if (await driver.untilReady()) return { driverUrl, end };
  end();
  throw new Error("WebKitWebDriver did not start.");
}

async function startScreen({ width, height }: Viewport): Promise<{ screen: Program; display: string }> {
  const display = Promise.withResolvers<string>();
  const size = ["-screen", "0", `${width}x${height}x24`];
  const screen = new Program({
    name: "Xvfb",
    program: "Xvfb",
    args: ["-displayfd", "1", "-nolisten", "tcp", ...size],
    env: { NODE_ENV: "test" },
    // The line break after the display's number may arrive in a later chunk.
    onOutput: (piece) => /^\d+$/m.test(String(piece)) && display.resolve(`:${String(piece).trim()}`),
    onEnd: () => display.reject(new Error("Xvfb ended before it was ready.")),
  });
  return { screen, display: await display.promise };
}

function startDriver(driverUrl: string, display: string, { scheme }: Viewport): Program {
  return new Program({
    name: "WebKitWebDriver",
    program: "WebKitWebDriver",
    args: [`--port=${new URL(driverUrl).port}`, "--host=127.0.0.1"],
    // The browser and its processes belong to the group.
    isGroup: true,
    healthUrl: `${driverUrl}/status`,
    onEnd: () => undefined,
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
}
