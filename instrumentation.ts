/** Runs once when Next's server starts: a wrong configuration stops it here, with every fault named. */
export async function register(): Promise<void> {
  // Next also bundles this file for its edge runtime, where nothing of ours runs and Node's modules are missing.
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { startProcess } = await import("#lib/bff/process.ts");
  await startProcess();
}
