/** Tokens of a sign-in that must count for nothing, and those that must count. */
import { base64url, SignJWT, UnsecuredJWT } from "jose";

export type SigningKey = Parameters<SignJWT["sign"]>[0];

const now = () => Math.floor(Date.now() / 1000);
const claims = { sub: "ada", name: "Ada" };

/** @param exp Seconds from now; null for a token without an end. */
export function signed(
  key: SigningKey,
  header: { alg: string; kid?: string },
  payload: Record<string, unknown> = {},
  exp: number | null = 600,
): Promise<string> {
  const end = exp === null ? {} : { exp: now() + exp };
  return new SignJWT({ ...claims, ...end, ...payload }).setProtectedHeader(header).sign(key);
}

/** @param otherKey Of the same algorithm. */
export async function hostileTokens(
  key: SigningKey,
  header: { alg: string; kid?: string },
  otherKey: SigningKey,
): Promise<[string, string][]> {
  const good = await signed(key, header);
  const [head = "", body = "", seal = ""] = good.split(".");
  const encoded = (part: object) => base64url.encode(JSON.stringify(part));
  const unsecured = new UnsecuredJWT({ ...claims, exp: now() + 600 }).encode();
  return [
    ["algorithm none", unsecured],
    ["algorithm none, capitalised", `${encoded({ alg: "nOnE" })}.${body}.`],
    ["algorithm none with the signature", `${encoded({ alg: "none" })}.${body}.${seal}`],
    ["no signature", `${head}.${body}.`],
    ["another key", await signed(otherKey, header)],
    ["another customer under the signature", `${head}.${encoded({ ...claims, sub: "bo" })}.${seal}`],
    ["expired", await signed(key, header, {}, -120)],
    ["no expiry", await signed(key, header, {}, null)],
    ["an expiry in words", await signed(key, header, { exp: "tomorrow" }, null)],
    ["not yet valid", await signed(key, header, { nbf: now() + 120 })],
    [
      "a key that the header brings",
      `${encoded({ ...header, jwk: { kty: "oct", k: "AAAA" } })}.${body}.${seal}`,
    ],
    ["an extension that must be understood", `${encoded({ ...header, crit: ["b64"] })}.${body}.${seal}`],
    ["huge", await signed(key, header, { padding: "x".repeat(9_000) })],
    ["no token", "ada"],
    ["two dots", ".."],
    ["a customer's name", JSON.stringify(claims)],
  ];
}

/** Tokens of a host whose clock differs by less than a minute. */
export async function toleratedTokens(
  key: SigningKey,
  header: { alg: string; kid?: string },
): Promise<[string, string][]> {
  return [
    ["as it should be", await signed(key, header)],
    ["expired for the time that clocks may differ", await signed(key, header, {}, -50)],
    ["from a clock that is ahead", await signed(key, header, { nbf: now() + 50, iat: now() + 50 })],
  ];
}
