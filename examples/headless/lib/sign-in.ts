import { jwtVerify } from "jose";

const secret = new TextEncoder().encode(process.env.SIGN_IN_SECRET);

export async function customerOf(request: Request) {
  const token = /(?:^|;\s*)sign_in=([^;]+)/.exec(request.headers.get("cookie") ?? "")?.[1];
  const { payload } = await jwtVerify(token ?? "", secret).catch(() => ({ payload: null }));
  if (!payload?.sub) return null;
  return { id: payload.sub, name: String(payload.name), until: payload.exp && payload.exp * 1000 };
}
