/** The security headers of pages, files and the API. */
import { expect } from "@playwright/test";
import { startSession } from "./shop-browser.ts";
import { test } from "./shop-page.ts";

const ours = [
  "content-security-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "permissions-policy",
  "referrer-policy",
  "strict-transport-security",
  "x-content-type-options",
  "x-frame-options",
  "x-powered-by",
  "server",
  "access-control-allow-origin",
];

function securityHeaders(response: Response): Record<string, string> {
  const entries = ours.map((name): [string, string | null] => [name, response.headers.get(name)]);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

const permissions = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";
const everywhere = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": permissions,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

test("sends each page and 404 page with a policy and a new nonce", async ({ origin }) => {
  const nonces = new Set<string>();
  for (const path of ["/", "/help", "/products", "/account", "/no/such/page", "/no-such-page.html"]) {
    const response = await fetch(origin + path);
    const { "content-security-policy": policy = "", ...others } = securityHeaders(response);
    expect(others, path).toEqual({
      ...everywhere,
      "strict-transport-security": "max-age=31536000; includeSubDomains",
    });
    const nonce = /'nonce-([A-Za-z0-9+/=]+)'/.exec(policy)?.[1] ?? "";
    expect(nonce.length, path).toBeGreaterThanOrEqual(22);
    nonces.add(nonce);
    expect(policy.replaceAll(nonce, "…"), path).toBe(
      "default-src 'none'; script-src 'self' 'nonce-…' 'strict-dynamic'; style-src 'self' 'nonce-…'; img-src 'self' blob:; " +
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
    );
    const html = await response.text();
    for (const [tag] of html.matchAll(/<script\b[^>]*>/g)) expect(tag, path).toContain(`nonce="${nonce}"`);
    expect(html, path).not.toMatch(/<[a-z][^>]*\sstyle="/);
    for (const [tag] of html.matchAll(/<style\b[^>]*>/g)) expect(tag, path).toContain(`nonce="${nonce}"`);
  }
  expect(nonces.size).toBe(6);
});

test("sends files and missing files with a policy that runs no script", async ({ origin }) => {
  const { styles = "", scripts = "" } = await filesOf(origin);
  for (const path of [
    "/icon.svg",
    "/robots.txt",
    "/sitemap.xml",
    styles,
    scripts,
    "/no-such-picture.png",
    "/no/such/script.js",
    "/api",
    "/api/nowhere",
    "/api/shop/nowhere",
    "/api/chatter.png",
    "/_next/no-such",
    "/_next/image",
    "/_next/data/x.json",
  ]) {
    const response = await fetch(origin + path);
    const { "content-security-policy": policy, ...others } = securityHeaders(response);
    expect(policy, path).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(others["x-frame-options"], path).toBe("DENY");
    await response.body?.cancel();
  }
});

test("answers the chat in the route handler, or before Next with CHAT_DIRECT", async ({ origin }) => {
  // Next adds this header to every response of a route handler.
  const { headers } = await fetch(`${origin}/api/chat/health/live`);
  expect(headers.has("vary")).toBe(process.env["CHAT_DIRECT"] !== "1");
});

/** The path of a style sheet and of a script of the shop. */
async function filesOf(origin: string): Promise<{ styles?: string; scripts?: string }> {
  const html = await (await fetch(origin)).text();
  const [, styles] = /href="(\/_next\/static\/[^"]+\.css)"/.exec(html) ?? [];
  const [, scripts] = /src="(\/_next\/static\/[^"]+\.js)"/.exec(html) ?? [];
  return { ...(styles && { styles }), ...(scripts && { scripts }) };
}

test("sends API responses as private, unframeable and without scripts", async ({ origin }) => {
  const customer = await startSession(origin);
  const chatId = await customer.newChat();
  const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
  for (const path of [
    "/api/chat/session",
    `/api/chat/chats/${chatId}`,
    `/api/chat/chats/${chatId}/messages`,
    "/api/chat/chats/short",
    "/api/chat/nowhere",
    "/api/chat/embed/no-such-part.js",
    `/api/chat/chats/${chatId}/files/picture.png`,
  ]) {
    const response = await customer.call("GET", path);
    expect(securityHeaders(response), path).toEqual({ ...everywhere, "content-security-policy": policy });
    expect(response.headers.get("cache-control"), path).toBe("private, no-store");
    expect(response.headers.get("x-request-id"), path).toMatch(/^req_[\w-]{22}$/);
  }
  const stream = await customer.call(
    "POST",
    `/api/chat/chats/${chatId}/messages`,
    { text: "hello" },
    { accept: "text/event-stream", "accept-encoding": "gzip, br, zstd" },
  );
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  expect(stream.headers.get("cache-control")).toBe("no-store, no-transform");
  expect(stream.headers.get("content-encoding")).toBeNull();
  expect(await stream.text()).toContain("event: done");
});
