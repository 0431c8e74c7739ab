/** The demo's sign-in takes JSON from the shop's own pages only. */
import { beforeEach, expect, test, vi } from "vitest";
import { testKeys } from "../../../testing/test-keys.ts";
import { endSession, startSession } from "./session.ts";

const origin = "http://localhost:3000";
const json = { "content-type": "application/json" };

beforeEach(() => {
  const { channelKey, chatKey, sessionSecret } = testKeys;
  const environment = {
    CHAT_BASE_URL: "http://127.0.0.1:1",
    CHAT_CHANNEL_KEY: channelKey,
    CHAT_KEY: chatKey,
    SESSION_SECRET: sessionSecret,
    APP_ORIGIN: origin,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
});

async function signIn(headers: Record<string, string>): Promise<number> {
  const body = '{"customerId":"maya-okafor"}';
  return (await startSession(new Request(`${origin}/api/shop/session`, { method: "POST", headers, body })))
    .status;
}

test("signs in with JSON from the shop's own pages", async () => {
  for (const type of ["application/json", "application/json; charset=utf-8", "Application/JSON"])
    expect(await signIn({ origin, "content-type": type }), type).toBe(204);
});

test("rejects a sign-in or sign-out without the shop's origin", async () => {
  for (const headers of [{}, { origin: "null" }, { origin: "https://evil.example" }]) {
    expect(await signIn({ ...json, ...headers })).toBe(403);
    const signOut = new Request(`${origin}/api/shop/session`, { method: "DELETE", headers });
    expect((await endSession(signOut)).status).toBe(403);
  }
  expect(await signIn({ ...json, origin, "sec-fetch-site": "same-site" })).toBe(403);
});

test("rejects the types that forms post", async () => {
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "text/plain; application/json", ""])
    expect(await signIn({ origin, "content-type": type }), type).toBe(415);
});

test("sends the cookie without Secure where the page is on http", async () => {
  const headers = { ...json, origin };
  const request = new Request(`${origin}/api/shop/session`, {
    method: "POST",
    headers,
    body: '{"customerId":"maya-okafor"}',
  });
  const cookie = (await startSession(request)).headers.get("set-cookie");
  expect(cookie).toMatch(/HttpOnly/i);
  expect(cookie).not.toContain("Secure");
});
