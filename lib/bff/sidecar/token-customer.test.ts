/** The customer whom a JSON Web Token names. */
import { createSecretKey } from "node:crypto";
import { createServer } from "node:http";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { listenLocally } from "../../../testing/local-server.ts";
import { hostileTokens, signed, toleratedTokens } from "../testing/hostile-tokens.ts";
import { customerOfEnvironment } from "./customer-settings.ts";

const secret = "a secret of the host with 32 characters or more";
const key = new TextEncoder().encode(secret);
const hs256 = { alg: "HS256" };
const cookie = { CUSTOMER_JWT_SECRET: secret, CUSTOMER_COOKIE: "__Host-customer" };
const ada = { id: "ada", name: "Ada" };

function asker(environment: Record<string, string>) {
  const refused: string[] = [];
  const customerOf = customerOfEnvironment(environment, (reason) => void refused.push(reason));
  const signIn = async (headers: Record<string, string>) =>
    customerOf?.(new Request("https://shop.example/api/chat/session", { headers }));
  const ask = async (headers: Record<string, string>) => {
    const answer = await signIn(headers);
    return answer && { id: answer.id, name: answer.name };
  };
  return { signIn, ask, withCookie: (text: string) => ask({ cookie: `theme=dark; ${text}` }), refused };
}

test("names the customer of a token in the cookie, with a clock that differs by less than a minute", async () => {
  const { withCookie, refused } = asker(cookie);
  for (const [what, token] of await toleratedTokens(key, hs256))
    expect(await withCookie(`__Host-customer=${token}`), what).toEqual(ada);
  for (const alg of ["HS384", "HS512"])
    expect(await withCookie(`__Host-customer=${await signed(key, { alg })}`)).toEqual(ada);
  expect(await withCookie("other=1")).toBeNull();
  expect(refused).toEqual([]);
});

test("takes a caller for a guest whose token is not the host's", async () => {
  const { withCookie, refused } = asker(cookie);
  const tokens = await hostileTokens(key, hs256, new TextEncoder().encode(`${secret}!`));
  const { privateKey } = await generateKeyPair("RS256");
  const all = [...tokens, ["a private key of the caller's own", await signed(privateKey, { alg: "RS256" })]];
  for (const [what = "", token] of all) expect(await withCookie(`__Host-customer=${token}`), what).toBeNull();
  expect(refused.length).toBe(all.length);
});

test("reports a token in words that are not its own", async () => {
  const { withCookie, refused } = asker(cookie);
  for (const text of ["one\n", "\u001b[2J"]) {
    const header = Buffer.from(JSON.stringify({ ...hs256, crit: [text] })).toString("base64url");
    expect(await withCookie(`__Host-customer=${header}.e30.AAAA`)).toBeNull();
  }
  expect(new Set(refused)).toEqual(new Set(["ERR_JOSE_NOT_SUPPORTED"]));
});

test("takes a request with two different tokens for a guest's, and one that is sent twice for one", async () => {
  const { withCookie } = asker(cookie);
  const [one, other] = [await signed(key, hs256), await signed(key, hs256, { sub: "bo" })];
  const pairs = (...tokens: string[]) => tokens.map((token) => `__Host-customer=${token}`).join("; ");
  expect(await withCookie(pairs(one, other))).toBeNull();
  expect(await withCookie(pairs(other, one))).toBeNull();
  expect(await withCookie(pairs(one, one))).toEqual(ada);
});

test("ignores a token in another place than the configured one", async () => {
  const [one, other] = [await signed(key, hs256), await signed(key, hs256, { sub: "bo" })];
  const inBoth = { cookie: `__Host-customer=${one}`, authorization: `Bearer ${other}` };
  expect(await asker(cookie).ask(inBoth)).toEqual(ada);
  const header = asker({ CUSTOMER_JWT_SECRET: secret, CUSTOMER_HEADER: "Authorization" });
  expect(await header.ask(inBoth)).toMatchObject({ id: "bo" });
  expect(await header.ask({ cookie: `__Host-customer=${one}` })).toBeNull();
  expect(await header.ask({ authorization: one })).toEqual(ada);
  expect(await header.ask({ authorization: `Bearer ${one}, Bearer ${other}` })).toBeNull();
});

test("says until when the cookie or the Authorization header names the customer", async () => {
  const exp = Math.floor(Date.now() / 1_000) + 90;
  const token = await signed(key, hs256, { exp }, null);
  const untilIn = async (name: string) => {
    const place = name === "cookie" ? cookie : { CUSTOMER_JWT_SECRET: secret, CUSTOMER_HEADER: name };
    const value = name === "cookie" ? `__Host-customer=${token}` : token;
    return (await asker(place).signIn({ [name]: value }))?.until;
  };
  expect(await untilIn("cookie")).toBe(exp * 1_000);
  expect(await untilIn("Authorization")).toBe(exp * 1_000);
  expect(await untilIn("x-customer")).toBeUndefined();
});

test("reads the configured claims, and fails if a valid token has no customer", async () => {
  const { withCookie } = asker({ ...cookie, CUSTOMER_ID_CLAIM: "uid", CUSTOMER_NAME_CLAIM: "nick" });
  const of = async (payload: object) =>
    withCookie(`__Host-customer=${await signed(key, hs256, { ...payload })}`);
  expect(await of({ uid: 42, nick: "A." })).toEqual({ id: "42", name: "A." });
  expect(await of({ uid: "42", nick: ["A."] })).toEqual({ id: "42", name: "" });
  for (const uid of [undefined, "", null, 1.5, ["42"]]) await expect(of({ uid })).rejects.toThrow('"uid"');
});

test("requires the configured audience and issuer", async () => {
  const { withCookie } = asker({
    ...cookie,
    CUSTOMER_JWT_AUDIENCE: "shop",
    CUSTOMER_JWT_ISSUER: "https://id.example",
  });
  const of = async (payload: object) =>
    withCookie(`__Host-customer=${await signed(key, hs256, { ...payload })}`);
  expect(await of({ aud: ["other", "shop"], iss: "https://id.example" })).toEqual(ada);
  for (const payload of [
    { aud: "shop" },
    { aud: "other", iss: "https://id.example" },
    { aud: "shop", iss: "x" },
  ])
    expect(await of(payload)).toBeNull();
});

interface Keys {
  keys: JWK[];
}

async function publicKeys() {
  let answer: { status: number; body: Keys | string } = { status: 200, body: { keys: [] } };
  let reads = 0;
  const server = createServer((_, response) => {
    reads += 1;
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  });
  onTestFinished(() => void server.close());
  const port = await listenLocally(server);
  const { ask, refused } = asker({
    CUSTOMER_JWKS_URL: `http://127.0.0.1:${port}/jwks.json`,
    CUSTOMER_JWT_AUDIENCE: "shop",
    CUSTOMER_HEADER: "x-customer",
  });
  return {
    of: (token: string) => ask({ "x-customer": token }),
    refused,
    reads: () => reads,
    answers(status: number, body: Keys | string) {
      answer = { status, body };
    },
  };
}

async function keyPair(alg: string, kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  return { privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

test("names the customer of a token that an identity provider has signed, and of no other", async () => {
  const provider = await publicKeys();
  const [first, second] = [await keyPair("ES256", "first"), await keyPair("ES256", "second")];
  provider.answers(200, { keys: [first.jwk, second.jwk] });
  const ours = { aud: "shop" };
  const header = (kid: string) => ({ alg: "ES256", kid });
  expect(await provider.of(await signed(first.privateKey, header("first"), ours))).toEqual(ada);
  const refused: [string, string][] = [
    ...(await hostileTokens(first.privateKey, header("first"), second.privateKey)),
    ["another program's", await signed(first.privateKey, header("first"), { aud: "other" })],
    ["the ID of another key", await signed(first.privateKey, header("second"), ours)],
    ["the ID of no key", await signed(first.privateKey, header("third"), ours)],
    ["an ID that is a path", await signed(first.privateKey, header("../../etc/passwd"), ours)],
    // The public key as a secret, which anybody could sign with.
    [
      "HS256",
      await signed(createSecretKey(JSON.stringify(first.jwk), "utf8"), { alg: "HS256", kid: "first" }, ours),
    ],
  ];
  for (const [what, token] of refused) expect(await provider.of(token), what).toBeNull();
  // Unknown IDs make it read the keys again, but not with each request.
  expect(provider.reads()).toBe(1);
});

test("fails while the public keys cannot be read, and recovers", async () => {
  const provider = await publicKeys();
  const { privateKey, jwk } = await keyPair("RS256", "only");
  const token = await signed(privateKey, { alg: "RS256", kid: "only" }, { aud: "shop" });
  for (const [status, body] of [
    [500, ""],
    [302, ""],
    [200, "<html>"],
    [200, "{}"],
  ] as const) {
    provider.answers(status, body);
    await expect(provider.of(token)).rejects.toThrow();
  }
  provider.answers(200, { keys: [jwk] });
  expect(await provider.of(token)).toEqual(ada);
});
