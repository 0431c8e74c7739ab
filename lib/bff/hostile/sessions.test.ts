/** Attacks on the guest's cookie. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { sealData } from "iron-session";
import { expect, test } from "vitest";
import { cases } from "../../../testing/unit/cases.ts";
import { operationNames } from "../../chat-api/operations.ts";
import { createGuestSessions, sessionCookieName, sessionLifetime } from "../session/guest-sessions.ts";
import { callOperation, hostilePeer, maya, newGuest, ownBff, sharedBff } from "../testing/hostile-set-up.ts";
import { freshKey, type TestBff, testSecret } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);

/** The statuses of reading a chat that does not exist: with a guest's cookie, and without a session. */
const guest = 404;
const nobody = 401;
async function whoWith(cookie: string, bff = t): Promise<number> {
  const browser = bff.browser();
  browser.cookie = cookie;
  return (await browser.get("/api/chat/chats/chat_9999")).status;
}

async function sealOf(content: object, secret = testSecret): Promise<string> {
  const { createHash } = await import("node:crypto");
  const id = String(createHash("sha256").update(secret).digest().readUInt32BE(0));
  return `${sessionCookieName}=${await sealData(content, { password: { [id]: secret } })}`;
}

const randomId = () => randomBytes(16).toString("base64url");
const goodContent = () => ({ v: 3, id: randomId(), u: randomId(), iat: Date.now(), not: [] });

test("answers session_required without a cookie and without a call to the Chat API", async () => {
  for (const operation of operationNames) {
    const response = await callOperation(t.browser(), operation);
    expect(response.status, operation).toBe(401);
    expect((await response.json()).error.code).toBe("session_required");
    expect(response.headers.getSetCookie()).toEqual([]);
  }
  expect(upstream.seen).toEqual([]);
});

test("accepts no cookie that is cut or sealed with another secret", async () => {
  const cookie = await sealOf(goodContent());
  expect(await whoWith(cookie)).toBe(guest);
  for (let cut = sessionCookieName.length; cut < cookie.length; cut += 7)
    expect(await whoWith(cookie.slice(0, cut))).toBe(nobody);
  expect(await whoWith(await sealOf(goodContent(), "another secret of at least 32 chars"))).toBe(nobody);
});

test("ignores cookies that crashed older seal readers", async () => {
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

test("accepts no sealed content with more, fewer or other fields", async () => {
  const wrong: object[] = [
    { ...goodContent(), admin: true },
    JSON.parse(`{${JSON.stringify(goodContent()).slice(1, -1)},"__proto__":{"u":"x"}}`),
    { ...goodContent(), v: 2 },
    { ...goodContent(), id: "short" },
    { ...goodContent(), id: `${randomId()}x` },
    { ...goodContent(), u: "short" },
    // A customer's `userId`.
    { ...goodContent(), u: maya },
    { ...goodContent(), u: "two lines\nof text" },
    { ...goodContent(), u: null },
    { ...goodContent(), iat: "now" },
    { ...goodContent(), not: ["short"] },
    { ...goodContent(), not: Array.from({ length: 5 }, randomId) },
    { v: 3, u: randomId(), iat: Date.now(), not: [] },
    {},
  ];
  for (const content of wrong)
    expect(await whoWith(await sealOf(content)), JSON.stringify(content)).toBe(401);
});

test("ends a session after thirty days, even a cached one", async () => {
  let now = Date.now();
  const later = ownBff(environment, { clock: () => now });
  const browser = await newGuest(later);
  const cookie = String(browser.cookie);
  now += sessionLifetime - 1;
  expect(await whoWith(cookie, later)).toBe(guest);
  now += 1;
  expect(await whoWith(cookie, later)).toBe(nobody);
});

test("keeps sessions while secrets rotate: old, new and old, new alone", async () => {
  const [old, fresh] = ["old secret of thirty-two characters", "new secret of thirty-two characters"];
  const before = ownBff({ ...environment, SESSION_SECRET: old });
  const during = ownBff({ ...environment, SESSION_SECRET: `${fresh},${old}` });
  const after = ownBff({ ...environment, SESSION_SECRET: fresh });

  const early = await newGuest(before);
  expect(await whoWith(String(early.cookie), during)).toBe(guest);
  expect(await whoWith(String(early.cookie), after)).toBe(nobody);

  const late = await newGuest(during);
  expect(await whoWith(String(late.cookie), before)).toBe(nobody);
  expect(await whoWith(String(late.cookie), after)).toBe(guest);
});

test("keeps every guest while two processes take the three steps of a rotation one after the other", async () => {
  const [old, fresh] = ["old secret of thirty-two characters", "new secret of thirty-two characters"];
  const processWith = (secrets: string) => ownBff({ ...environment, SESSION_SECRET: secrets });
  const steps = [old, `${old},${fresh}`, `${fresh},${old}`];
  const foreign = (process: TestBff) =>
    process.lines.filter(({ event }) => event === "unknown_session_secret");
  for (const [at, step] of steps.entries()) {
    // The first process is restarted with this step, the second still has the one before.
    const [one, other] = [processWith(step), processWith(steps[at - 1] ?? old)];
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      expect(await whoWith(String((await newGuest(from)).cookie), to), step).toBe(guest);
      expect(foreign(to)).toEqual([]);
    }
  }
  // Without the first step, the process that still has the old secret says so, once.
  const [early, late] = [processWith(`${fresh},${old}`), processWith(old)];
  const { cookie } = await newGuest(early);
  for (let request = 0; request < 3; request += 1) expect(await whoWith(String(cookie), late)).toBe(nobody);
  expect(foreign(late)).toMatchObject([{ level: "warn", msg: expect.stringContaining("SESSION_SECRET") }]);
});

test("accepts neither of two sessions, and ignores other and forged cookies", async () => {
  const [one, two] = [await newGuest(t), await newGuest(t)];
  expect(await whoWith(`${one.cookie}; ${two.cookie}`)).toBe(nobody);
  expect(await whoWith(`theme=dark; ${one.cookie}; x${two.cookie}`)).toBe(guest);
  const forged = `${sessionCookieName}=forged`;
  expect(await whoWith(`${forged}; ${one.cookie}; ${String(two.cookie).slice(0, -3)}`)).toBe(guest);
  expect(await whoWith(`${one.cookie}; ${one.cookie}`)).toBe(guest);
});

test("unseals only the last four of many forged cookies", async () => {
  const browser = await newGuest(t);
  const forged = await Promise.all(
    Array.from({ length: 46 }, () => sealOf(goodContent(), "another secret of at least 32 chars")),
  );
  expect(await whoWith([...forged.slice(0, 3), browser.cookie].join("; "))).toBe(guest);
  expect(await whoWith([...forged, browser.cookie].join("; "))).toBe(guest);
  expect(await whoWith([browser.cookie, ...forged].join("; "))).toBe(nobody);
});

test("parses a cookie full of blanks in linear time", async () => {
  const value = `${sessionCookieName}=a${" \t".repeat(7_500)}b`;
  const before = process.threadCpuUsage();
  for (let request = 0; request < 3; request += 1) expect(await whoWith(value)).toBe(401);
  // Quadratic matching took a second for each request.
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(500);
});

test("ignores a cookie with anything but SP and HTAB before its name", async () => {
  const [own, planted] = [await newGuest(t), await newGuest(t)];
  expect(await whoWith(` \t${own.cookie}\t `)).toBe(guest);
  // Every character that `String.trim` removes and a header can contain, and other bytes outside our cookie's
  // name.
  for (const character of [
    "\u00a0",
    "\u00a0 ",
    " \u00a0",
    "\u000b",
    "\u000c",
    "\u0085",
    "\u00c2\u00a0",
    "\u007f",
    "\u00ff",
  ]) {
    const name = `${character}${planted.cookie}`;
    expect(await whoWith(name), JSON.stringify(character)).toBe(nobody);
    expect(await whoWith(`${own.cookie}; ${name}`), JSON.stringify(character)).toBe(guest);
    expect(await whoWith(`${name}; ${own.cookie}${character.trim()}`), JSON.stringify(character)).not.toBe(
      500,
    );
  }
  for (const name of [sessionCookieName.toLowerCase(), `"${sessionCookieName}"`, `$${sessionCookieName}`]) {
    expect(await whoWith(String(planted.cookie).replace(sessionCookieName, name)), name).toBe(nobody);
  }
});

test("replaces two sessions in one browser with a new one", async () => {
  const [own, planted, later] = [await newGuest(t), await newGuest(t), await newGuest(t)];
  const victim = t.browser();
  victim.cookie = `${own.cookie}; ${planted.cookie}`;
  expect((await victim.start()).status).toBe(201);
  const healed = String(victim.cookie);
  // The browser keeps sending the planted cookie, to any process.
  const other = ownBff(environment);
  for (const bff of [t, other]) expect(await whoWith(`${planted.cookie}; ${healed}`, bff)).toBe(guest);
  const again = t.browser();
  again.cookie = `${planted.cookie}; ${healed}`;
  expect((await again.start()).status).toBe(200);
  // The new session replaces only the two that were sent when it started, so a third one conflicts with it.
  expect(await whoWith(`${later.cookie}; ${healed}`)).toBe(nobody);

  victim.cookie = `${planted.cookie}; ${later.cookie}; ${healed}`;
  expect((await victim.start()).status).toBe(201);
  expect(await whoWith(`${planted.cookie}; ${later.cookie}; ${victim.cookie}`)).toBe(guest);
  expect(await whoWith(String(planted.cookie))).toBe(guest);
});

test("starts a session behind more planted cookies than the BFF unseals", async () => {
  const others = Array.from({ length: 6 }, () => t.browser());
  for (const browser of others) await browser.start();
  // Browsers send cookies with longer paths first, so these come before ours. Another program on this machine
  // may have set them.
  const planted = others.map(({ cookie }) => cookie).join("; ");
  const victim = await newGuest(t);
  victim.cookie = `${planted}; ${victim.cookie}`;
  expect((await victim.start()).status).toBe(201);
  const other = ownBff(environment);
  for (const bff of [t, other]) expect(await whoWith(`${planted}; ${victim.cookie}`, bff)).toBe(guest);
});

test("sets a cookie that sibling subdomains cannot set", async () => {
  const response = await t.browser().start();
  const [cookie = ""] = response.headers.getSetCookie();
  expect(cookie.replace(/=[^;]+/, "=…")).toBe(
    "__Host-Http-chat=…; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict",
  );
  expect(cookie.length).toBeLessThan(512);
});

const sessionSecrets: [string] = ["a secret for the cookies of these two tests"];

test("sets and reads a cookie without Secure or a prefix on local plain http", async () => {
  const guests = createGuestSessions({ appOrigin: "http://localhost:3000", sessionSecrets });
  const { session, setCookie } = await guests.start(new Request("http://localhost:3000/"));
  expect(setCookie.replace(/=[^;]+/, "=…")).toBe(
    "chat=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict",
  );
  const [pair = ""] = setCookie.split(";");
  const request = (name: string) =>
    new Request("http://localhost:3000/", { headers: { cookie: pair.replace("chat=", `${name}=`) } });
  expect(await guests.read(request("chat"))).toEqual(session);
  expect(await guests.read(request(sessionCookieName))).toBeUndefined();
});

test("two chat servers of one origin and one secret keep a guest each", async () => {
  const guestsOf = (basePath: string) =>
    createGuestSessions({ appOrigin: "https://shop.example", sessionSecrets }, { basePath });
  const sales = guestsOf("/api/chat");
  const repairs = guestsOf("/repairs/chat");
  /** The browser's cookies by name. */
  const jar = new Map<string, string>();
  const request = () =>
    new Request("https://shop.example/", {
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
  const started = [];
  for (const guests of [sales, repairs]) {
    const { session, setCookie } = await guests.start(request());
    const [pair = ""] = setCookie.split(";");
    jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    started.push(session);
  }
  expect([await sales.read(request()), await repairs.read(request())]).toEqual(started);
  const [own = "", other = ""] = jar.keys();
  expect([own, other]).toEqual(["__Host-Http-chat", "__Host-Http-chat!repairs!chat"]);
  const [ownSeal = "", otherSeal = ""] = jar.values();
  jar.set(own, otherSeal).set(other, ownSeal);
  expect([await sales.read(request()), await repairs.read(request())]).toEqual([undefined, undefined]);
});

test("reads a cookie that has replaced four others", async () => {
  const browsers = Array.from({ length: 5 }, () => t.browser());
  for (const browser of browsers) await browser.start();
  const crowded = t.browser();
  crowded.cookie = browsers.map(({ cookie }) => cookie).join("; ");
  expect((await crowded.start()).status).toBe(201);
  // `whoWith` also sends the new cookie in place of the fifth one, which the browser has overwritten with it.
  const planted = browsers.slice(0, 4).map(({ cookie }) => cookie);
  expect(await whoWith([...planted, crowded.cookie].join("; "))).toBe(guest);
});

test("answers session_required and creates no chat for a retry without its cookie", async () => {
  const browser = await newGuest(t);
  upstream.createsChats();
  const headers = { "idempotency-key": freshKey() };
  expect((await browser.post("/api/chat/chats", {}, headers)).status).toBe(201);
  browser.cookie = undefined;
  const retry = await browser.post("/api/chat/chats", {}, headers);
  expect((await retry.json()).error.code).toBe("session_required");
  expect(upstream.seen).toHaveLength(1);
});

test("keeps the existing session when another tab starts one", async () => {
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

const sealStart = `${sessionCookieName}=`.length;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The cookie, and every other spelling that iron-session unseals alike. */
function spellings(cookie: string): string[] {
  const [seal = ""] = cookie.split("~");
  const others = ["", "~", "~1", "~3", "~02", "~2zzz", "~2~2", "~2 2", "~\u00a0"].map((mark) => seal + mark);
  // Two bits of the MAC's last character are unused.
  const last = alphabet.indexOf(seal.slice(-1));
  const macs = [1, 2, 3].map((bits) => seal.slice(0, -1) + alphabet.charAt(last ^ bits));
  const padded = [...macs, seal].flatMap((text) => [text, `${text}=`, `${text} `, `${text}\t`]);
  const standard = seal.replace(/[^*]+$/, (mac) => mac.replaceAll("-", "+").replaceAll("_", "/"));
  const blank = seal.replace(/(?=.{10}$)/, " ");
  return [...new Set([cookie, ...others, ...[...padded, standard, blank].map((text) => `${text}~2`)])];
}

test("accepts only the spelling that the BFF wrote", async () => {
  const [own = "", ...others] = spellings(String((await newGuest(t)).cookie));
  expect(others.length).toBeGreaterThan(20);
  expect(await whoWith(own)).toBe(guest);
  for (const other of others) expect(await whoWith(other), other).toBe(nobody);
  expect(await whoWith(own)).toBe(guest);
});

test("limits a customer across all devices, whatever guest session each device had", async () => {
  upstream.createsChats();
  const limited = ownBff(environment, { isLimited: true });
  const [one, two] = [await newGuest(limited), await newGuest(limited)];
  for (const browser of [one, two]) browser.signIn({ id: "maya-okafor", name: "Maya" });
  // Ten chats a minute.
  for (let count = 0; count < 5; count += 1)
    for (const browser of [one, two]) expect((await browser.post("/api/chat/chats", {})).status).toBe(201);
  for (const browser of [one, two]) expect((await browser.post("/api/chat/chats", {})).status).toBe(429);
  two.signOut();
  expect((await two.post("/api/chat/chats", {})).status).toBe(201);
});

/** SP and HTAB around a value are not part of it (RFC 9110, section 5.6.3). */
const bare = (cookie: string) => cookie.replace(/[ \t]+$/, "");
const seed = 20_261_122;

test("accepts each of the seal's nine parts only in its exact text", async () => {
  const browser = await newGuest(t);
  const cookie = String(browser.cookie);
  const parts = cookie.slice(sealStart).split(/[*~]/);
  expect(parts).toHaveLength(9);

  // Every byte that a header value may contain, except the semicolon that ends the cookie's value.
  const byte = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x3b && code !== 0x7f);
  const character = fc.oneof(
    fc.constantFrom(...alphabet, ...'+/=*~ \t"%'),
    byte.map((code) => String.fromCharCode(code)),
  );
  const change = fc.record({
    part: fc.nat(parts.length - 1),
    // Often near either end, where encodings have unused bits.
    at: fc.oneof(fc.nat(4), fc.integer({ min: -4, max: -1 }), fc.nat(400)),
    removed: fc.nat(2),
    inserted: fc.array(character, { maxLength: 3 }).map((characters) => characters.join("")),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ part, at, removed, inserted }) => {
      const text = [...(parts[part] ?? "")];
      text.splice(at, removed, inserted);
      const changed = parts.with(part, text.join(""));
      const other = `${sessionCookieName}=${changed.slice(0, -1).join("*")}~${changed.at(-1)}`;
      expect(await whoWith(other), other).toBe(bare(other) === cookie ? guest : nobody);
    }),
    { seed, numRuns: cases(2_000) },
  );
});
