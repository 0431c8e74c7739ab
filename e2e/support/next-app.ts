/** A small Next app with the chat and its own configuration, in front of the channel. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "../../processes/free-port.ts";
import { Program } from "../../processes/program.ts";
import { root } from "../../processes/root.ts";
import { hideSettingsFiles } from "../../testing/processes/settings-files.ts";
import { chatServerVariables } from "./lab.ts";

const next = join(root, "node_modules", "next", "dist", "bin", "next");

interface Config {
  basePath?: string;
  trailingSlash?: boolean;
}

const filesOf = (config: Config, basePath: string) => ({
  "next.config.mjs": `export default ${JSON.stringify({
    ...config,
    turbopack: { root },
    typescript: { ignoreBuildErrors: true },
  })};`,
  "instrumentation.ts": `export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { protectNextServer } = await import("../lib/bff/next.ts");
  protectNextServer({
    basePath: "${basePath}",
    trailingSlash: ${config.trailingSlash ?? false},
    direct: process.env.DIRECT === "1",
  });
}`,
  "app/api/chat/[[...path]]/route.ts": `import { toNextHandler } from "../../../../../lib/bff/next.ts";
import { createChatServer } from "../../../../../lib/bff/server.ts";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandler(
  createChatServer({ basePath: "${basePath}" }),
);`,
  "app/layout.tsx": `import { ChatWidget } from "../../components/chat/react.tsx";
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        {children}
        <ChatWidget api="${basePath}" agentName="Wren" shopName="Tarn & Tread" />
      </body>
    </html>
  );
}`,
  "app/page.tsx": "export default function Page() { return <h1>A shop</h1>; }",
});

export interface NextApp {
  /** Rejects after the server's output if it does not become ready. */
  start(env: Record<string, string>): Promise<{ origin: string; output(): string; stop(): Promise<void> }>;
  remove(): void;
}

/** @param basePath The chat's, as browsers see it. */
export function buildNextApp(config: Config, basePath: string): NextApp {
  // Inside the repository, because the build reads nothing outside it.
  const folder = mkdtempSync(join(root, ".next-app-"));
  for (const [file, text] of Object.entries(filesOf(config, basePath))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const env = hideSettingsFiles({ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
  const { status, stdout, stderr } = spawnSync(process.execPath, [next, "build", folder], {
    cwd: root,
    env: { PATH: process.env["PATH"], ...env },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The app cannot be built:\n${stdout}${stderr}`);
  return {
    async start(variables) {
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      const program = await Program.start({
        name: "the app",
        args: [next, "start", folder, "-H", "127.0.0.1", "-p", String(port)],
        healthUrl: `${origin}${basePath}/health/live`,
        env: {
          ...env,
          APP_ORIGIN: origin,
          ...chatServerVariables,
          ...variables,
        },
      });
      return { origin, output: () => program.output(), stop: () => program.stop() };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
