/** Runs once when Next's server starts: a wrong configuration stops the demo here. */
export async function register(): Promise<void> {
  // Next also bundles this file for its edge runtime, where nothing of ours runs and Node's modules are
  // missing.
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const [{ protectNextServer, stopNextChat }, { requireConfiguration, stopOnSignals }, { startTraces }] =
    await Promise.all([
      import("#lib/bff/next.ts"),
      import("#lib/bff/node.ts"),
      import("#lib/shop/server/traces.ts"),
    ]);
  requireConfiguration();
  protectNextServer({ direct: process.env["CHAT_DIRECT"] === "1", coversPages: true });
  const stopTraces = startTraces(process.env);
  stopOnSignals(async () => {
    await stopNextChat();
    await stopTraces();
  });
}
