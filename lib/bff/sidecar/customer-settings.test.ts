import { expect, test } from "vitest";
import { ConfigurationError, type Environment } from "../configuration/env.ts";
import { customerOfEnvironment } from "./customer-settings.ts";

const secret = "s".repeat(32);
const keys = "https://id.example/jwks.json";

function problemsOf(environment: Environment): string[] {
  try {
    customerOfEnvironment(environment, () => undefined);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(({ variable }) => variable);
  }
}

test("takes every caller for a guest without a variable", () => {
  expect(customerOfEnvironment({}, () => undefined)).toBeUndefined();
});

test("accepts each way alone", () => {
  for (const environment of [
    { CUSTOMER_URL: "http://php:8000/chat-customer" },
    { CUSTOMER_JWT_SECRET: secret, CUSTOMER_COOKIE: "__Host-customer" },
    { CUSTOMER_JWT_SECRET: secret, CUSTOMER_HEADER: "authorization", CUSTOMER_ID_CLAIM: "uid" },
    { CUSTOMER_JWKS_URL: keys, CUSTOMER_JWT_AUDIENCE: "shop", CUSTOMER_COOKIE: "id_token" },
  ])
    expect(problemsOf(environment), JSON.stringify(environment)).toEqual([]);
});

test("names what is missing, doubled, without effect or unsafe", () => {
  const token = { CUSTOMER_JWT_SECRET: secret, CUSTOMER_COOKIE: "c" };
  const cases: [Environment, string[]][] = [
    [{ CUSTOMER_JWT_SECRET: secret }, ["CUSTOMER_COOKIE"]],
    [{ ...token, CUSTOMER_HEADER: "authorization" }, ["CUSTOMER_HEADER"]],
    [{ ...token, CUSTOMER_COOKIE: "a b" }, ["CUSTOMER_COOKIE"]],
    [{ ...token, CUSTOMER_JWT_SECRET: "short" }, ["CUSTOMER_JWT_SECRET"]],
    [{ ...token, SESSION_SECRET: `${"o".repeat(32)}, ${secret}` }, ["CUSTOMER_JWT_SECRET"]],
    [{ ...token, CUSTOMER_URL: "http://127.0.0.1/" }, ["CUSTOMER_URL"]],
    [{ ...token, CUSTOMER_JWKS_URL: keys }, ["CUSTOMER_JWKS_URL"]],
    [{ CUSTOMER_JWKS_URL: keys, CUSTOMER_COOKIE: "c" }, ["CUSTOMER_JWT_AUDIENCE"]],
    [
      { CUSTOMER_JWKS_URL: "http://id.example", CUSTOMER_JWT_AUDIENCE: "a", CUSTOMER_COOKIE: "c" },
      ["CUSTOMER_JWKS_URL"],
    ],
    [{ CUSTOMER_URL: "/chat-customer" }, ["CUSTOMER_URL"]],
    [{ CUSTOMER_URL: "http://shop:secret@php/chat-customer" }, ["CUSTOMER_URL"]],
    [{ CUSTOMER_URL: "http://php/", CUSTOMER_COOKIE: "c" }, ["CUSTOMER_COOKIE"]],
    [{ CUSTOMER_COOKIE: "c", CUSTOMER_ID_CLAIM: "uid" }, ["CUSTOMER_COOKIE", "CUSTOMER_ID_CLAIM"]],
  ];
  for (const [environment, variables] of cases)
    expect(problemsOf(environment), JSON.stringify(environment)).toEqual(variables);
});
