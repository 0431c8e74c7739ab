/** Hostile cases A, 1 to 8 and 138: the session's cookie. */
import { sealData } from "iron-session";
import { expect, test } from "vitest";
import { operationNames, operationPath, operations } from "#lib/chat-api/operations.ts";
import { newGuestUserId } from "../identity.ts";
import { createSessions, sessionCookieName, sessionLifetime } from "../session.ts";
import { hostilePeer, maya, sharedBff } from "../testing/hostile-set-up.ts";
import { aChat, json, ownChat } from "../testing/hostile-upstream.ts";
import { freshKey, startTestBff, testSecret } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);

/** Status of a read that needs a session, with this cookie header. */
async function whoWith(cookie: string, bff = t): Promise<number> {
  const browser = bff.browser();
  browser.cookie = cookie;
  return (await browser.get("/api/orders")).status;
}

async function sealOf(content: object, secret = testSecret): Promise<string> {
  const { createHash } = await import("node:crypto");
  const id = String(createHash("sha256").update(secret).digest().readUInt32BE(0));
  return `${sessionCookieName}=${await sealData(content, { password: { [id]: secret } })}`;
}

const goodContent = () => ({ v: 1, u: newGuestUserId(), iat: Date.now() });

test("#1 without a cookie every operation answers session_required and the Chat API hears nothing", async () => {
  const ids = { chatId: "chat_0001", fileId: "file_0001" };
  for (const operation of operationNames) {
    const browser = t.browser();
    const path = `/api${operationPath(operation, ids)}`;
    const response =
      operations[operation].method === "GET" ? await browser.get(path) : await browser.post(path, {});
    expect(response.status, operation).toBe(401);
    expect((await response.json()).error.code).toBe("session_required");
    expect(response.headers.getSetCookie()).toEqual([]);
  }
  expect(upstream.seen).toEqual([]);
});

test("#2 a cookie that is cut, altered by one bit anywhere, or sealed with another secret is no session", async () => {
  const browser = t.browser();
  await browser.start();
  const cookie = String(browser.cookie);
  expect(await whoWith(cookie)).toBe(200);
  const start = sessionCookieName.length + 1;
  for (let cut = start; cut < cookie.length - 2; cut += 7)
    expect(await whoWith(cookie.slice(0, cut))).toBe(401);
  for (let at = start; at < cookie.length - 2; at += 5) {
    const flipped = String.fromCharCode(cookie.charCodeAt(at) ^ 1);
    if (flipped === ";" || flipped === " ") continue;
    expect(await whoWith(cookie.slice(0, at) + flipped + cookie.slice(at + 1)), `bit at ${at}`).toBe(401);
  }
  expect(await whoWith(await sealOf(goodContent(), "another secret of at least 32 chars"))).toBe(401);
});

test("#3 cookies that crashed older seal readers are no session, and no error", async () => {
  for (const value of [
    "a*b*c*d*e*f*g*h~2",
    "Fe26.2*1*a*b*c*notanumber*e*f~2",
    "~2",
    "*",
    "%",
    "Fe26.2",
    "x".repeat(5_000),
  ]) {
    expect(await whoWith(`${sessionCookieName}=${value}`), value.slice(0, 30)).toBe(401);
  }
  expect(t.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("#4 the seal's version mark is outside its signature and means nothing", async () => {
  const cookie = await sealOf(goodContent());
  expect(await whoWith(cookie)).toBe(200);
  expect(await whoWith(cookie.replace(/~2$/, ""))).toBe(200);
});

test("#5 sealed content with more, less or other fields is no session", async () => {
  const wrong: object[] = [
    { ...goodContent(), admin: true },
    JSON.parse(`{"v":1,"u":"${newGuestUserId()}","iat":${Date.now()},"__proto__":{"u":"x"}}`),
    { ...goodContent(), v: 2 },
    { ...goodContent(), u: "short" },
    { ...goodContent(), u: "two lines\nof text" },
    { ...goodContent(), u: null },
    { ...goodContent(), iat: "now" },
    { u: newGuestUserId(), iat: Date.now() },
    {},
  ];
  for (const content of wrong)
    expect(await whoWith(await sealOf(content)), JSON.stringify(content)).toBe(401);
});

test("#6 a session ends thirty days after it was made, also one that is in the cache", async () => {
  let now = Date.now();
  const later = startTestBff(environment, { clock: () => now });
  const browser = later.browser();
  await browser.start();
  const cookie = String(browser.cookie);
  now += sessionLifetime - 1;
  expect(await whoWith(cookie, later)).toBe(200);
  now += 1;
  expect(await whoWith(cookie, later)).toBe(401);
  await later.stop();
});

test("#7 secrets rotate without signing anyone out: old, new and old, new alone", async () => {
  const [old, fresh] = ["old secret of thirty-two characters", "new secret of thirty-two characters"];
  const before = startTestBff({ ...environment, SESSION_SECRET: old });
  const during = startTestBff({ ...environment, SESSION_SECRET: `${fresh},${old}` });
  const after = startTestBff({ ...environment, SESSION_SECRET: fresh });

  const early = before.browser();
  await early.start();
  expect(await whoWith(String(early.cookie), during)).toBe(200);
  expect(await whoWith(String(early.cookie), after)).toBe(401);

  const late = during.browser();
  await late.start();
  expect(await whoWith(String(late.cookie), before)).toBe(401);
  expect(await whoWith(String(late.cookie), after)).toBe(200);
  await Promise.all([before.stop(), during.stop(), after.stop()]);
});

test("#8 of two cookies of the name neither is believed; other cookies do not matter", async () => {
  const [one, two] = [t.browser(), t.browser()];
  await one.start();
  await two.start();
  expect(await whoWith(`${one.cookie}; ${two.cookie}`)).toBe(401);
  expect(await whoWith(`theme=dark; ${one.cookie}; x${two.cookie}`)).toBe(200);
});

test("#20 the cookie is one that a neighbouring subdomain cannot plant", async () => {
  const response = await t.browser().start();
  const [cookie = ""] = response.headers.getSetCookie();
  expect(cookie.replace(/=[^;]+/, "=…")).toBe(
    "__Host-Http-chat=…; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict",
  );
  expect(cookie.length).toBeLessThan(512);
});

test("on plain http, which is this machine alone, the cookie is one that every browser keeps", async () => {
  const sessionSecrets: [string] = ["a secret for the cookies of this one test"];
  const sessions = createSessions({ appOrigin: "http://localhost:3000", sessionSecrets });
  const cookie = await sessions.start("guest_9f2c1a7d4b");
  expect(cookie.replace(/=[^;]+/, "=…")).toBe("chat=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict");
  const [pair = ""] = cookie.split(";");
  const request = (name: string) =>
    new Request("http://localhost:3000/", { headers: { cookie: pair.replace("chat=", `${name}=`) } });
  expect((await sessions.read(request("chat")))?.userId).toBe("guest_9f2c1a7d4b");
  expect(await sessions.read(request(sessionCookieName))).toBeUndefined();
});

test("#33 a session that vanished between attempt and retry is asked for, and no second chat is made", async () => {
  const browser = t.browser();
  await browser.start("maya-okafor");
  upstream.on("POST /chats", (_, answer) => json(answer, 201, { item: aChat(maya) }));
  const headers = { "idempotency-key": freshKey() };
  expect((await browser.post("/api/chats", {}, headers)).status).toBe(201);
  browser.cookie = undefined;
  const retry = await browser.post("/api/chats", {}, headers);
  expect((await retry.json()).error.code).toBe("session_required");
  expect(upstream.seen).toHaveLength(1);
});

test("#138 a tab that starts a session again keeps the one that is there", async () => {
  const browser = t.browser();
  expect((await browser.start()).status).toBe(201);
  const { cookie } = browser;
  for (let tab = 0; tab < 50; tab += 1) {
    const again = await browser.start();
    expect(again.status).toBe(200);
    expect(again.headers.getSetCookie()).toEqual([]);
  }
  expect(browser.cookie).toBe(cookie);
});

test("a customer signs in, is named, and signs out; guests have no name", async () => {
  const browser = t.browser();
  expect(await (await browser.start()).json()).toEqual({ item: { signedIn: false, customer: null } });
  const guest = browser.cookie;
  const signedIn = await browser.start("maya-okafor");
  expect(signedIn.status).toBe(201);
  const item = { signedIn: true, customer: { id: "maya-okafor", name: "Maya Okafor" } };
  expect(await signedIn.json()).toEqual({ item });
  expect(await (await browser.get("/api/session")).json()).toEqual({ item });
  expect(browser.cookie).not.toBe(guest);
  expect(await whoWith(String(guest))).toBe(401);

  const out = await browser.send("/api/session", { method: "DELETE" });
  expect(out.status).toBe(204);
  expect(browser.cookie).toBeUndefined();
  // Nobody: an answer like any other, so that no browser calls it a failure.
  const nobody = await browser.get("/api/session");
  expect(nobody.status).toBe(200);
  expect(await nobody.json()).toEqual({ item: null });
  expect(nobody.headers.getSetCookie()).toEqual([]);
});

test("nobody signs in as a customer who does not exist", async () => {
  for (const customerId of ["nobody", "__proto__", "", "MAYA-OKAFOR"]) {
    const browser = t.browser();
    const response = await browser.start(customerId);
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ code: "invalid_request", field: "/customerId" });
    expect(browser.cookie).toBeUndefined();
  }
});

test("after sign-out a copy of the cookie opens nothing, in any tab", async () => {
  const browser = t.browser();
  await browser.start("maya-okafor");
  ownChat(upstream, maya);
  expect((await browser.get("/api/chats/chat_0001")).status).toBe(200);
  const otherTab = t.browser();
  otherTab.cookie = browser.cookie;
  await browser.send("/api/session", { method: "DELETE" });
  for (const path of ["/api/chats/chat_0001", "/api/chats/chat_0001/messages", "/api/orders"]) {
    expect((await otherTab.get(path)).status, path).toBe(401);
  }
  expect(await (await otherTab.get("/api/session")).json()).toEqual({ item: null });
});
