/** A host's app, made in a folder of its own by the guide's commands and files. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { applyDiff, type CodeBlock } from "./guide.ts";

const ownBinaries = /node_modules\/\.bin/;

export class HostApp {
  readonly name: string;
  readonly folder: string;
  #server: ChildProcess | undefined;
  #output = "";

  constructor(name: string, folder: string) {
    this.name = name;
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Everything that the server has printed. */
  get output(): string {
    return this.#output;
  }

  run(command: string, variables: Variables = {}): void {
    process.stdout.write(`[${this.name}] ${command.trim().replaceAll("\n", " && ")}\n`);
    const { status, stdout, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", command], {
      cwd: this.folder,
      env: hostEnvironment(variables),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (status !== 0) throw new Error(`[${this.name}] failed: ${command}\n${stdout}${stderr}`);
  }

  /** Writes the blocks' files; `diff` blocks change files that are there. */
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
    process.stdout.write(`[${this.name}] ${command}\n`);
    const child = spawn("bash", ["-c", `exec ${command}`], {
      cwd: this.folder,
      env: hostEnvironment(variables),
      // Own process group: `npm` and `next` start children.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#server = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece: Buffer) => {
        this.#output += piece.toString("utf8");
      });
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
    const { pid, exitCode } = this.#server ?? {};
    if (pid !== undefined && exitCode === null) process.kill(-pid, "SIGKILL");
    this.#server = undefined;
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
