/** Protects the server of the targets that use the kit, as the shop's own instrumentation does. */
export async function register(): Promise<void> {
  const target = process.env["BENCH_TARGET"] ?? "";
  if (process.env["NEXT_RUNTIME"] !== "nodejs" || !["next-bff", "next-direct"].includes(target)) return;
  const { protectNextServer } = await import("#lib/bff/next.ts");
  protectNextServer({ direct: target === "next-direct", coversPages: true });
}
