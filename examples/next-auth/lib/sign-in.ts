import { getToken } from "@auth/core/jwt";

export async function customerOf(request: Request) {
  const secureCookie = process.env.APP_ORIGIN?.startsWith("https:") ?? false;
  const token = await getToken({ req: request, secret: process.env.AUTH_SECRET ?? "", secureCookie });
  return token?.sub ? { id: token.sub, name: token.name ?? "" } : null;
}
