/** Like the shop's own. The handlers that it is compared with run without it. */
export async function register(): Promise<void> {
  const target = process.env["BENCH_TARGET"] ?? "";
  if (process.env["NEXT_RUNTIME"] !== "nodejs" || !["next-bff", "next-direct"].includes(target)) return;
  const { protectNextServer } = await import("#lib/bff/next.ts");
  protectNextServer({ direct: target === "next-direct", coversPages: true });
}
