/** The customer whom the host's sign-in names in a JSON Web Token (RFC 7519). */
import type { KeyObject } from "node:crypto";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from "jose";
import { cookieValues } from "../session/cookies.ts";
import type { CustomerOf, SignIn } from "../session/customer.ts";

export interface TokenOptions {
  /** The secret that the host signs with, or the address of its public keys. */
  key: KeyObject | URL;
  /** The one place where a token counts. */
  place: { cookie: string } | { header: string };
  /** The claims with the customer's ID and name. */
  claims: { id: string; name: string };
  audience: string | undefined;
  issuer: string | undefined;
  /** Told why a token was refused, in words for the operator. */
  onRefused(reason: string): void;
}

/** One of each kind: with a secret, `none` and public keys count for nothing, and the other way round. */
const secretAlgorithms = ["HS256", "HS384", "HS512"];
const keyAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
];

/** Seconds by which the host's clock may differ. */
const clockTolerance = 60;
/** More than a browser keeps in a cookie. */
const longestToken = 8_192;
/** Milliseconds for the public keys to arrive. */
const keysTime = 2_000;

/** The host's fault, or the network's: whether the caller is signed in is unknown. */
const keyFaults = [errors.JOSEError.code, errors.JWKSInvalid.code, errors.JWKSTimeout.code];

/**
 * A request without a valid token is a guest's. The function rejects if the public keys cannot be read, or if
 * a valid token does not name its customer.
 */
export function customerOfToken({ key, place, claims, onRefused, ...expected }: TokenOptions): CustomerOf {
  const verify = verifier(key, {
    ...(expected.audience && { audience: expected.audience }),
    ...(expected.issuer && { issuer: expected.issuer }),
    // A token without an end would be a password.
    requiredClaims: ["exp"],
    clockTolerance,
  });
  /** Other headers may differ between requests with the same credentials. */
  const isCredential = "cookie" in place || place.header.toLowerCase() === "authorization";
  return async (request) => {
    const [token, another] = tokensIn(request, place);
    if (token === undefined) return null;
    // A sister subdomain can plant a cookie of the same name, and the order does not tell whose is whose.
    if (another !== undefined || token.length > longestToken) {
      onRefused(another === undefined ? "it is too long" : "the request has another one");
      return null;
    }
    try {
      const payload = await verify(token);
      const customer = customerIn(payload, claims);
      return isCredential ? { ...customer, until: Number(payload.exp) * 1_000 } : customer;
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || keyFaults.includes(error.code)) throw error;
      // The message about an unknown `crit` quotes the caller.
      onRefused(error instanceof errors.JOSENotSupported ? error.code : error.message);
      return null;
    }
  };
}

function verifier(key: KeyObject | URL, options: JWTVerifyOptions): (token: string) => Promise<JWTPayload> {
  if (!(key instanceof URL))
    return async (token) =>
      (await jwtVerify(token, key, { ...options, algorithms: secretAlgorithms })).payload;
  const keys = createRemoteJWKSet(key, { timeoutDuration: keysTime });
  return async (token) => (await jwtVerify(token, keys, { ...options, algorithms: keyAlgorithms })).payload;
}

/** The different tokens of a request. */
function tokensIn(request: Request, place: TokenOptions["place"]): string[] {
  const values =
    "cookie" in place
      ? cookieValues(request, place.cookie).map((value) => value.trimEnd())
      : // Two headers of a name arrive as one value with a comma.
        (request.headers.get(place.header) ?? "").replace(/^Bearer +/i, "").split(/, */);
  return [...new Set(values)].filter((value) => value !== "");
}

function customerIn(payload: JWTPayload, claims: TokenOptions["claims"]): SignIn {
  const id = payload[claims.id];
  const name = payload[claims.name];
  if ((typeof id !== "string" && !Number.isSafeInteger(id)) || id === "")
    throw new TypeError(`A valid token has no claim "${claims.id}" with the customer's ID`);
  return { id: String(id), name: typeof name === "string" ? name : "" };
}
