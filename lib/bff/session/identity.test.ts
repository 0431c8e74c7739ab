/** The caller's identity: the BFF asks the host for the customer of a request and stores none. */
import { expect, test } from "vitest";
import { callerHeader } from "../../chat-api/headers.ts";
import { bffLimits } from "../configuration/limits.ts";
import { hostilePeer, newChat, ownBff, sharedBff, signedIn } from "../testing/hostile-set-up.ts";
import { errorBody } from "../testing/hostile-upstream.ts";
import type { TestBrowser } from "../testing/test-bff.ts";
import type { Customer, CustomerOf } from "./customer.ts";
import { sessionCookieName } from "./guest-sessions.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);

const forgets = `${sessionCookieName}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict`;
const ada: Customer = { id: "42", name: "Ada" };
const bo: Customer = { id: "a@b.c", name: "Bo" };

let chats = 0;

function nextChat(browser: TestBrowser) {
  chats += 1;
  return newChat(upstream, browser, `chat_${String(chats).padStart(4, "0")}`);
}

test("keeps the chats of two guests and two customers in one browser apart", async () => {
  const browser = t.browser();
  const all: { path: string; userId: string }[] = [];
  const next = async (customer: Customer | null) => {
    if (customer === null) browser.signOut();
    else browser.signIn(customer);
    const who = await browser.start();
    expect((await who.json()).item.customer).toEqual(customer);
    for (const { path } of all) expect((await browser.get(path)).status).toBe(404);
    all.push(await nextChat(browser));
    for (const { path } of all)
      expect((await browser.get(path)).status).toBe(path === all.at(-1)?.path ? 200 : 404);
  };
  for (const customer of [null, ada, null, bo]) await next(customer);
  expect(all.map(({ userId }) => userId)).toEqual([
    expect.stringMatching(/^[\w-]{22}$/),
    "cust64.NDI",
    expect.stringMatching(/^[\w-]{22}$/),
    "cust64.YUBiLmM",
  ]);
  expect(new Set(all.map(({ userId }) => userId)).size).toBe(4);

  // The same customer on another device.
  const phone = t.browser();
  phone.signIn(ada);
  expect((await phone.get(String(all[1]?.path))).status).toBe(200);
});

test("serves a signed-in customer without a cookie of ours", async () => {
  const browser = t.browser();
  browser.signIn(ada);
  const { path } = await nextChat(browser);
  const response = await browser.get(path);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(browser.cookie).toBeUndefined();
  const otherTab = t.browser();
  otherTab.hostCookie = browser.hostCookie;
  browser.signOut();
  expect((await otherTab.get(path)).status).toBe(401);
});

test("deletes the guest's cookie at sign-in and keeps the guest's chats apart", async () => {
  const browser = t.browser();
  const first = await browser.start();
  expect(first.status).toBe(201);
  expect(await first.json()).toEqual({
    item: { caller: expect.any(String), formerCallers: [], customer: null },
  });
  const { path } = await nextChat(browser);
  browser.signIn(ada);
  const named = await browser.start();
  expect(named.status).toBe(200);
  expect(named.headers.getSetCookie()).toEqual([forgets]);
  expect((await named.json()).item.customer).toEqual(ada);
  expect((await browser.get(path)).status).toBe(404);
  expect((await browser.start()).headers.getSetCookie()).toEqual([]);
  browser.signOut();
  expect((await browser.start()).status).toBe(201);
  expect((await browser.get(path)).status).toBe(404);
});

test("adds an opaque tag of the caller to responses, except at unknown paths", async () => {
  const [guest, desk, phone] = [t.browser(), t.browser(), t.browser()];
  for (const device of [desk, phone]) device.signIn(bo);
  const tags: (string | null)[] = [];
  for (const browser of [guest, desk, phone]) {
    const { item } = await (await browser.start()).json();
    for (const path of ["chats/chat_9999", "chats/no", "nowhere"]) {
      const response = await browser.get(`/api/chat/${path}`);
      expect(response.headers.get(callerHeader), path).toBe(path === "nowhere" ? null : item.caller);
    }
    tags.push(item.caller);
  }
  expect(tags[1]).toBe(tags[2]);
  expect(tags[0]).not.toBe(tags[1]);
  for (const tag of tags) expect(tag).toMatch(/^[\w-]{16}$/);
});

test("rejects a write made for another caller without calling the Chat API", async () => {
  const browser = t.browser();
  browser.signIn(ada);
  const { item: was } = await (await browser.start()).json();
  const { path } = await nextChat(browser);
  browser.signIn(bo);
  upstream.seen.length = 0;
  const writes = ["/api/chat/chats", `${path}/messages`];
  for (const write of writes) {
    const response = await browser.post(write, { text: "for Ada" }, { [callerHeader]: was.caller });
    expect([response.status, (await response.json()).error.code]).toEqual([401, "session_required"]);
    expect(response.headers.get(callerHeader)).not.toBe(was.caller);
  }
  expect(upstream.seen).toEqual([]);
  const { item: is } = await (await browser.start()).json();
  expect((await browser.get("/api/chat/chats/chat_9999", { [callerHeader]: is.caller })).status).toBe(404);
});

test("answers service_unavailable when customerOf fails or returns no valid customer", async () => {
  const broken: [string, CustomerOf][] = [
    ["rejects", () => Promise.reject(new Error("no database"))],
    ["throws", () => JSON.parse("{")],
    ["has no ID", () => ({ name: "Ada" }) as Customer],
    ["has a number for an ID", () => ({ id: 42, name: "Ada" }) as unknown as Customer],
    ["has an empty ID", () => ({ id: "", name: "Ada" })],
    ["has a date for its end", () => ({ ...ada, until: new Date() as unknown as number })],
    ["has no number for its end", () => ({ ...ada, until: Number.NaN })],
    ["answers undefined", () => undefined as unknown as null],
  ];
  for (const [what, customerOf] of broken) {
    const own = ownBff(environment, { customerOf });
    const response = await own.browser().start();
    expect([response.status, (await response.json()).error.code], what).toEqual([503, "service_unavailable"]);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(response.headers.getSetCookie()).toEqual([]);
    const errors = own.lines.filter(({ event }) => event === "unexpected_error");
    expect(String(errors[0]?.["msg"]), what).toContain("customerOf");
    // The liveness check needs no identity.
    expect((await own.browser().get("/api/chat/health/live")).status).toBe(200);
  }
});

test("asks customerOf again for the same credentials after the time that it names, ten minutes at most", async () => {
  let [now, isSignedIn] = [Date.now(), true];
  const asked: (string | null)[] = [];
  const own = ownBff(environment, {
    clock: () => now,
    customerOf({ headers }) {
      const sent = headers.get("cookie") ?? headers.get("authorization");
      asked.push(sent);
      const until = sent === "host=short" ? now + 1_000 : Number.POSITIVE_INFINITY;
      return isSignedIn ? { ...ada, until } : null;
    },
  });
  const browser = own.browser();
  /** The calls of two requests, and the customer of the second. */
  const callsOf = async (cookie: string, headers = {}) => {
    asked.length = 0;
    browser.cookie = undefined;
    browser.hostCookie = cookie;
    await browser.post("/api/chat/session", {}, headers);
    const { item } = await (await browser.post("/api/chat/session", {}, headers)).json();
    return [asked.length, item.customer];
  };
  expect(await callsOf("host=long")).toEqual([1, ada]);
  expect(await callsOf("host=long", { "x-request-id": "another" })).toEqual([0, ada]);
  expect(await callsOf("host=long", { authorization: "Bearer other" })).toEqual([1, ada]);
  expect(await callsOf("host=short")).toEqual([1, ada]);
  // Without credentials the host decides by something else.
  expect(await callsOf("")).toEqual([2, ada]);
  isSignedIn = false;
  now += 1_000;
  expect(await callsOf("host=short")).toEqual([2, null]);
  expect(await callsOf("host=long")).toEqual([0, ada]);
  now += bffLimits.knownSignInTime;
  expect(await callsOf("host=long")).toEqual([2, null]);
});

test("gives the host the request without its body and still reads the body", async () => {
  const own = ownBff(environment, {
    async customerOf(request) {
      expect(await request.text()).toBe("");
      expect(request.headers.get("cookie")).toBe("host=ada");
      expect(new URL(request.url).pathname).toBe("/api/chat/chats");
      return ada;
    },
  });
  const browser = own.browser();
  browser.hostCookie = "host=ada";
  upstream.createsChats();
  expect((await browser.post("/api/chat/chats", { locale: "de" })).status).toBe(201);
  expect(upstream.seen[0]?.body).toContain('"locale":"de"');
});

/** The caller that the page learns at its start, and the tag in the log, of a BFF with these secrets. */
async function tagsUnder(secrets: string) {
  const own = ownBff({ ...environment, SESSION_SECRET: secrets });
  const browser = await signedIn(own, bo.id);
  const response = await browser.start();
  return { browser, ...(await response.json()).item, logged: own.lines.at(-1)?.["session"] };
}

const [oldSecret, newSecret] = ["the old secret of at least 32 chars", "the new secret of at least 32 chars"];

test("derives the tags in headers and logs from SESSION_SECRET, not from the customer's ID alone", async () => {
  const [one, other] = [await tagsUnder(oldSecret), await tagsUnder(newSecret)];
  expect(one.logged).toMatch(/^[\w-]{8}$/);
  expect(one.logged).not.toBe(other.logged);
  expect(one.caller).not.toBe(other.caller);
});

test("accepts the caller's tag of the old secret while secrets rotate, and tells the page both", async () => {
  const before = await tagsUnder(oldSecret);
  const during = await tagsUnder(`${newSecret}, ${oldSecret}`);
  expect(during.formerCallers).toEqual([before.caller]);
  upstream.respond("GET /chats/chat_9999", 404, errorBody("chat_not_found"));
  const read = (caller: string) =>
    during.browser.get("/api/chat/chats/chat_9999", { [callerHeader]: caller });
  const response = await read(before.caller);
  expect(response.status).toBe(404);
  expect(response.headers.get(callerHeader)).toBe(during.caller);
  expect((await read((await tagsUnder(`${oldSecret}!`)).caller)).status).toBe(401);
});

test("counts no new session for a guest whom admitGuest refuses", async () => {
  const rates = { newSession: { perSession: [], perAddress: [], total: [{ calls: 8, seconds: 60 }] } };
  const now = Date.now();
  const own = ownBff(environment, {
    limits: { rates },
    clock: () => now,
    admitGuest: (request) => request.headers.get("x-check") === "passed",
  });
  const start = async (check: string) =>
    (await own.browser().post("/api/chat/session", {}, { "x-check": check })).status;
  for (let call = 0; call < 20; call += 1) expect(await start("failed")).toBe(403);
  expect(await start("passed")).toBe(201);
});

test("asks admitGuest before a new guest gets a cookie, and not for others", async () => {
  const requests: Request[] = [];
  const own = ownBff(environment, {
    async admitGuest(request) {
      requests.push(request);
      if (request.headers.get("x-check") === "broken") throw new Error("the bot check is unavailable");
      return request.headers.get("x-check") === "passed";
    },
  });
  const browser = own.browser();
  const start = (check: string) => browser.post("/api/chat/session", {}, { "x-check": check });
  const refusal = await start("failed");
  expect(refusal.status).toBe(403);
  expect((await refusal.json()).error.code).toBe("request_not_allowed");
  expect(own.lines.at(-1)).toMatchObject({ code: "request_not_allowed", reason: "guest_not_admitted" });
  expect((await start("broken")).status).toBe(503);
  expect(browser.cookie).toBeUndefined();
  expect((await start("passed")).status).toBe(201);
  expect(requests.map(({ url }) => url)).toEqual(Array(3).fill("https://shop.example/api/chat/session"));
  expect((await start("failed")).status).toBe(200);
  await signedIn(own, bo.id);
  expect(requests).toHaveLength(3);
});
