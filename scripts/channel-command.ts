#!/usr/bin/env node
/** The command of the package `shop-chat-channel`: the channel, or with `verify` the contract tests. */
const [name, ...options] = process.argv.slice(2);
if (name === "verify") {
  const { command } = await import("../e2e/contract/command.ts");
  process.exitCode = await command(options, process.env);
} else await import("../channel/bin.ts");

export {};
