export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { protectNextServer } = await import("shop-chat/next");
  protectNextServer();
}
