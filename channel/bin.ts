#!/usr/bin/env node
/**
 * `shop-chat-channel`: the channel as a command. It checks its Node before it loads other modules, and starts
 * Node again with flags that save memory: V8 does not optimise PostgreSQL's WebAssembly, which takes some 300
 * MB and pays off under load only, and collects short-lived objects early, which would otherwise fill 128 MB
 * first. The third flag hides that Node 22 calls its SQLite experimental. They are not in the line above,
 * because BusyBox's `env` cannot pass flags.
 */
const flags = ["--liftoff-only", "--max-semi-space-size=4", "--disable-warning=ExperimentalWarning"];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(
    `shop-chat-channel needs Node 22.13 or newer, and this is Node ${process.versions.node}.\n`,
  );
  process.exit(1);
}
// Windows and Node 22.13 and 22.14 cannot replace a process; there the channel takes more memory.
if (process.platform !== "win32" && flags.some((flag) => !process.execArgv.includes(flag)))
  process.execve?.(
    process.execPath,
    [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)],
    process.env,
  );
const { command } = await import("./command.ts");
await command(process.argv.slice(2), process.env);

export {};
