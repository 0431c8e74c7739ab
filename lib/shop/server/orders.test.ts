/** The order look-up's limits. The address that a counted proxy adds distinguishes callers. */
import { beforeEach, expect, test, vi } from "vitest";
import { testKeys } from "../../../testing/test-keys.ts";
import { findOrder } from "./orders.ts";

beforeEach(() => {
  const { channelKey, sessionSecret } = testKeys;
  const environment = {
    CHAT_BASE_URL: "http://127.0.0.1:1",
    CHAT_CHANNEL_KEY: channelKey,
    CHAT_KEY: testKeys.chatKey,
    SESSION_SECRET: sessionSecret,
    APP_ORIGIN: "http://localhost:3000",
    TRUST_PROXY_HOPS: "1",
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
});
const lookUp = async (address: string, reference: string, email: string) => {
  const origin = "http://localhost:3000";
  const headers = { origin, "content-type": "application/json", "x-forwarded-for": address };
  const body = JSON.stringify({ reference, email });
  const url = `${origin}/api/shop/orders/find`;
  return (await findOrder(new Request(url, { method: "POST", headers, body }))).status;
};

test("limits a caller who changes the reference and the e-mail with every guess", async () => {
  for (let guess = 0; guess < 20; guess += 1)
    expect(await lookUp("203.0.113.7", `TT-1${guess}`, `person${guess}@example.com`)).toBe(404);
  expect(await lookUp("203.0.113.7", "TT-999", "another@example.com")).toBe(429);
  expect(await lookUp("203.0.113.8", "TT-100482", "maya.okafor@example.com")).toBe(200);
});

test("limits guesses at one reference from many addresses", async () => {
  for (let guess = 0; guess < 10; guess += 1)
    expect(await lookUp(`198.51.100.${guess}`, "TT-555", `guess${guess}@example.com`)).toBe(404);
  expect(await lookUp("198.51.100.200", "TT-555", "last@example.com")).toBe(429);
});

test("allows callers with unknown addresses more look-ups than a known address", async () => {
  for (let guess = 0; guess < 30; guess += 1)
    expect(await lookUp("", `X-1${guess}`, `unknown${guess}@example.com`)).toBe(404);
});
