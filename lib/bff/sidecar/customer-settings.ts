/** The host's sign-in from environment variables alone (docs/any-language.md). */
import { createSecretKey } from "node:crypto";
import { type Environment, Reader, readAddress, webAddress } from "../configuration/env.ts";
import type { CustomerOf } from "../session/customer.ts";
import { customerOfHost } from "./host-customer.ts";
import { customerOfToken, type TokenOptions } from "./token-customer.ts";

const ways = ["CUSTOMER_JWT_SECRET", "CUSTOMER_JWKS_URL", "CUSTOMER_URL"] as const;
/** Have no meaning without a token. */
const tokenVariables = [
  "CUSTOMER_COOKIE",
  "CUSTOMER_HEADER",
  "CUSTOMER_ID_CLAIM",
  "CUSTOMER_NAME_CLAIM",
  "CUSTOMER_JWT_AUDIENCE",
  "CUSTOMER_JWT_ISSUER",
] as const;

export const customerVariables = [...ways, ...tokenVariables];

const shortestSecret = 32;

/**
 * Undefined if every caller is a guest.
 * @throws ConfigurationError
 */
export function customerOfEnvironment(
  environment: Environment,
  onRefused: TokenOptions["onRefused"],
): CustomerOf | undefined {
  const read = new Reader(environment);
  const [way, another] = ways.filter((name) => read.optional(name) !== undefined);
  if (way !== undefined && another !== undefined)
    read.problem(another, `is set beside ${way}: the chat server asks one of them who is signed in`);
  const customerOf =
    way === undefined || way === "CUSTOMER_URL" ? readHost(read, way) : readToken(read, way, onRefused);
  read.throwProblems();
  return customerOf;
}

function readHost(read: Reader, way: "CUSTOMER_URL" | undefined): CustomerOf | undefined {
  for (const name of tokenVariables)
    if (read.optional(name) !== undefined)
      read.problem(name, "has no effect without CUSTOMER_JWT_SECRET or CUSTOMER_JWKS_URL");
  if (way === undefined) return undefined;
  const address = read.fitting(
    way,
    (value) => webAddress(value) !== undefined,
    "must be the address at which your server names the customer, such as http://127.0.0.1:8000/chat-customer, without a password",
  );
  return customerOfHost(address ?? "");
}

function readToken(
  read: Reader,
  way: "CUSTOMER_JWT_SECRET" | "CUSTOMER_JWKS_URL",
  onRefused: TokenOptions["onRefused"],
): CustomerOf | undefined {
  const place = readPlace(read);
  const key = way === "CUSTOMER_JWT_SECRET" ? readSecret(read) : readKeysAddress(read);
  const audience = read.optional("CUSTOMER_JWT_AUDIENCE");
  if (way === "CUSTOMER_JWKS_URL" && audience === undefined)
    read.problem(
      "CUSTOMER_JWT_AUDIENCE",
      "is missing: these keys also sign tokens for other programs. Set the `aud` of the tokens for your shop.",
    );
  if (key === null || place === undefined) return undefined;
  const claims = {
    id: read.optional("CUSTOMER_ID_CLAIM") ?? "sub",
    name: read.optional("CUSTOMER_NAME_CLAIM") ?? "name",
  };
  const issuer = read.optional("CUSTOMER_JWT_ISSUER");
  return customerOfToken({ key, place, claims, audience, issuer, onRefused });
}

/** A name of RFC 9110, which cookies share (RFC 6265). */
const isName = (value: string) => /^[\w!#$%&'*+.^`|~-]+$/.test(value);

function readPlace(read: Reader): TokenOptions["place"] | undefined {
  const cookie = read.fitting("CUSTOMER_COOKIE", isName, "must be a cookie's name, such as __Host-customer");
  const header = read.fitting("CUSTOMER_HEADER", isName, "must be a header's name, such as authorization");
  if (cookie !== undefined && header !== undefined)
    read.problem("CUSTOMER_HEADER", "is set beside CUSTOMER_COOKIE: a token counts in one place alone");
  if (cookie !== undefined) return { cookie };
  if (header !== undefined && isName(header)) return { header };
  read.problem(
    "CUSTOMER_COOKIE",
    "is missing: name the cookie, or with CUSTOMER_HEADER the header, of the token",
  );
  return undefined;
}

function readSecret(read: Reader) {
  const secret = read.fitting(
    "CUSTOMER_JWT_SECRET",
    (value) => value.length >= shortestSecret,
    `must have at least ${shortestSecret} random characters (\`openssl rand -base64 36\`)`,
  );
  const sessionSecrets = (read.optional("SESSION_SECRET") ?? "").split(",");
  if (sessionSecrets.some((one) => one.trim() === secret))
    read.problem(
      "CUSTOMER_JWT_SECRET",
      "must differ from SESSION_SECRET, which your other server does not need",
    );
  return secret === undefined ? null : createSecretKey(Buffer.from(secret));
}

function readKeysAddress(read: Reader): URL | null {
  const address = read.optional("CUSTOMER_JWKS_URL") ?? "";
  const remedy = "must be an https address, such as https://id.example/.well-known/jwks.json";
  return readAddress(read, "CUSTOMER_JWKS_URL", address, { fits: () => true, form: remedy, https: remedy });
}
