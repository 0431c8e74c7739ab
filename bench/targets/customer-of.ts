/** The sign-in of the targets that have one. */
import { type CryptoKey, jwtVerify } from "jose";

/** Imported once, because jose imports the bytes of a secret with every request. */
let key: Promise<CryptoKey> | undefined;

function importKey() {
  const secret = new TextEncoder().encode(process.env["BENCH_SIGN_IN_SECRET"]);
  return crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** Verifies a JWT, as the guide does (docs/integrate.md, "Next"). */
export async function customerOf(request: Request) {
  const token = /(?:^|;\s*)sign_in=([^;]+)/.exec(request.headers.get("cookie") ?? "")?.[1];
  if (token === undefined) return null;
  key ??= importKey();
  const { payload } = await jwtVerify(token, await key).catch(() => ({ payload: null }));
  if (!payload?.sub) return null;
  return { id: payload.sub, name: String(payload["name"]), until: payload.exp && payload.exp * 1_000 };
}
