/** Preloaded into profiled targets: Node writes the profile when a process exits, not when it is killed. */
process.once("SIGTERM", () => process.exit());
