/** A host's app, created in its own folder by the guide's commands and files. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Program } from "../../processes/program.ts";
import { applyDiff, type CodeBlock } from "../../scripts/guide.ts";

const ownBinaries = /node_modules\/\.bin/;

export class HostApp {
  readonly name: string;
  readonly folder: string;
  /** The last command or the server. */
  #program: Program | undefined;

  constructor(name: string, folder: string) {
    this.name = name;
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** The output of the last command or the server. */
  get output(): string {
    return this.#program?.output() ?? "";
  }

  async run(command: string, variables: Variables = {}): Promise<void> {
    if ((await this.#begin(command, variables).ended) !== 0)
      throw new Error(`[${this.name}] failed: ${command}\n${this.output}`);
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
    if (!(await this.#begin(`exec ${command}`, variables, ready).untilReady()))
      throw new Error(`[${this.name}] ended before it answered at ${ready}:\n${this.output}`);
  }

  stop(): void {
    if (this.#program?.isRunning) this.#program.signal("SIGKILL");
  }

  #begin(script: string, variables: Variables, healthUrl?: string): Program {
    process.stdout.write(`[${this.name}] ${script.trim().replaceAll("\n", " && ")}\n`);
    this.#program = new Program({
      name: this.name,
      program: "bash",
      args: ["-euo", "pipefail", "-c", script],
      cwd: this.folder,
      env: hostEnvironment(variables),
      // `npm` and `next` start children.
      isGroup: true,
      healthUrl,
      startTimeout: 120_000,
      onEnd: () => undefined,
    });
    return this.#program;
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
  // Reads packages from npm's cache, because the apps share most of them.
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
