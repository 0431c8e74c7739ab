/** A host's app, created in a folder of its own by the guide's commands and files. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { applyDiff, type CodeBlock } from "./guide.ts";

const ownBinaries = /node_modules\/\.bin/;

export class HostApp {
  readonly name: string;
  readonly folder: string;
  /** The command or the server that runs. */
  #child: ChildProcess | undefined;
  #output = "";

  constructor(name: string, folder: string) {
    this.name = name;
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Everything that the last command or the server has printed. */
  get output(): string {
    return this.#output;
  }

  async run(command: string, variables: Variables = {}): Promise<void> {
    const child = this.#spawn(command, command, variables);
    const [status] = await once(child, "close");
    if (status !== 0) throw new Error(`[${this.name}] failed: ${command}\n${this.#output}`);
  }

  /** Writes the blocks' files; `diff` blocks change existing files. */
  write(blocks: readonly CodeBlock[]): void {
    for (const { file, language, text } of blocks) {
      if (file === undefined || file.startsWith(".env")) continue;
      const path = join(this.folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, language === "diff" ? applyDiff(readFileSync(path, "utf8"), text) : text);
    }
  }

  writeFile(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  async start(command: string, variables: Variables, ready: string): Promise<void> {
    const child = this.#spawn(command, `exec ${command}`, variables);
    const deadline = Date.now() + 120_000;
    while (
      !(await fetch(ready).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`[${this.name}] does not answer at ${ready}:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  stop(): void {
    const { pid, exitCode, signalCode } = this.#child ?? {};
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
    this.#child = undefined;
  }

  #spawn(name: string, script: string, variables: Variables): ChildProcess {
    process.stdout.write(`[${this.name}] ${name.trim().replaceAll("\n", " && ")}\n`);
    const child = spawn("bash", ["-euo", "pipefail", "-c", script], {
      cwd: this.folder,
      env: hostEnvironment(variables),
      // Own process group: `npm` and `next` start children.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.#output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece: Buffer) => {
        this.#output += piece.toString("utf8");
      });
    return child;
  }
}

export type Variables = Readonly<Record<string, string>>;

const settings: Variables = {
  CI: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  npm_config_update_notifier: "false",
  npm_config_fund: "false",
  npm_config_audit: "false",
  npm_config_yes: "true",
  // The apps share most packages.
  npm_config_prefer_offline: "true",
};

/**
 * Passes on the machine's environment, without this repository's binaries, npm's variables for scripts, and
 * the tests' own.
 */
function hostEnvironment(variables: Variables): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of Object.keys(env))
    if (/^(?:npm_|E2E_|CHAT_|CHANNEL_|NODE_ENV$|NODE_OPTIONS$|INIT_CWD$)/.test(name))
      Reflect.deleteProperty(env, name);
  const path = (process.env["PATH"] ?? "").split(":").filter((folder) => !ownBinaries.test(folder));
  return { ...env, ...settings, ...variables, PATH: [dirname(process.execPath), ...path].join(":") };
}
