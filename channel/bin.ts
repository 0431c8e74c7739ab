#!/usr/bin/env -S node --liftoff-only --max-semi-space-size=4
/**
 * `shop-chat-channel`: the channel as a command. It checks its Node before it loads the rest. Its flags save
 * memory: V8 does not optimise PostgreSQL's WebAssembly, which takes some 300 MB and pays off under load
 * only, and collects short-lived objects early, which would otherwise fill 128 MB first.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(
    `shop-chat-channel needs Node 22.13 or newer, and this is Node ${process.versions.node}.\n`,
  );
  process.exit(1);
}
const { command } = await import("./command.ts");
await command(process.argv.slice(2), process.env);

export {};
