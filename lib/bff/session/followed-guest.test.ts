/** A guest's chats after sign-in, with `guestChats: "follow"`. */
import { expect, test } from "vitest";
import { createChatServer } from "../chat-server/chat-server.ts";
import { hostilePeer, newChat, newGuest, ownBff, sharedBff } from "../testing/hostile-set-up.ts";
import { freshKey, type TestBrowser } from "../testing/test-bff.ts";
import { followedTime, sessionCookieName, sessionLifetime } from "./guest-sessions.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment, { guestChats: "follow" });

/** A guest with a chat who has signed in as Ada. */
async function signedInGuest(id: string, bff = t) {
  const browser = await newGuest(bff);
  const chat = await newChat(upstream, browser, id);
  const guestCookie = browser.cookie;
  const response = await browser.start("ada");
  return { browser, guestCookie, ...chat, response };
}

const statusOf = async (browser: TestBrowser, path: string) => (await browser.get(path)).status;

/** The status of a new message; the Chat API must not have received one that is refused. */
async function statusOfWrite(browser: TestBrowser, path: string): Promise<number> {
  upstream.seen.length = 0;
  const { status } = await browser.post(`${path}/messages`, { text: "hello" });
  if (status >= 400) expect(upstream.seen.filter(({ method }) => method === "POST")).toEqual([]);
  return status;
}

test("serves the guest's chat to the customer on this browser, and new chats are the customer's", async () => {
  const { browser, path, response } = await signedInGuest("chat_2001");
  expect((await response.json()).item).toMatchObject({ customer: { id: "ada" }, followsGuest: true });
  upstream.seen.length = 0;
  expect(await statusOf(browser, path)).toBe(200);
  expect(upstream.seen).toHaveLength(1);
  expect((await newChat(upstream, browser, "chat_2002")).userId).toBe("cust.ada");
  // The repeated first request of a page changes nothing.
  const again = await browser.start();
  expect(again.headers.getSetCookie()).toEqual([]);
  expect((await again.json()).item.followsGuest).toBe(true);

  const otherDevice = t.browser();
  await otherDevice.start("ada");
  expect(await statusOf(otherDevice, path)).toBe(404);
});

test("repeats a guest's operation as the same one after sign-in", async () => {
  const browser = await newGuest(t);
  const { path } = await newChat(upstream, browser, "chat_2003");
  upstream.respond("POST /chats/chat_2003/messages", 500, {});
  const send = { "idempotency-key": freshKey() };
  const keysOfSending = async () => {
    const seenBefore = upstream.seen.length;
    await browser.post(`${path}/messages`, { text: "hello" }, send);
    const posts = upstream.seen.slice(seenBefore).filter(({ method }) => method === "POST");
    return new Set(posts.map(({ headers }) => headers["idempotency-key"]));
  };
  const asGuest = await keysOfSending();
  await browser.start("ada");
  expect(asGuest.size).toBe(1);
  expect(await keysOfSending()).toEqual(asGuest);
});

test("is over at sign-out, even when the same customer signs in again", async () => {
  const { browser, path } = await signedInGuest("chat_2004");
  browser.signOut();
  expect(await statusOf(browser, path)).toBe(401);
  expect(await statusOfWrite(browser, path)).toBe(401);
  expect((await browser.start()).status).toBe(201);
  expect(await statusOf(browser, path)).toBe(404);
  expect(await statusOfWrite(browser, path)).toBe(404);
  await browser.start("ada");
  expect(await statusOf(browser, path)).toBe(404);
});

test("shows nothing to another customer of the browser, and ends it", async () => {
  const { browser, path } = await signedInGuest("chat_2005");
  browser.signIn({ id: "bo", name: "Bo" });
  expect(await statusOf(browser, path)).toBe(404);
  expect(await statusOfWrite(browser, path)).toBe(404);
  const response = await browser.start();
  expect((await response.json()).item.followsGuest).toBeUndefined();
  expect(response.headers.getSetCookie()).toEqual([expect.stringContaining("Max-Age=0")]);
  await browser.start("ada");
  expect(await statusOf(browser, path)).toBe(404);
});

test("gives a stolen cookie no access without the customer's sign-in", async () => {
  const { browser, path } = await signedInGuest("chat_2006");
  const thief = t.browser();
  thief.cookie = browser.cookie;
  expect(await statusOf(thief, path)).toBe(401);
  await thief.start();
  expect(await statusOf(thief, path)).toBe(404);
  const asOther = t.browser();
  asOther.cookie = browser.cookie;
  asOther.signIn({ id: "mallory", name: "Mallory" });
  expect(await statusOf(asOther, path)).toBe(404);
});

test("follows neither of two guests, because somebody else has set one", async () => {
  const [browser, planted] = [await newGuest(t), await newGuest(t)];
  const { path } = await newChat(upstream, planted, "chat_2007");
  browser.cookie = `${browser.cookie}; ${planted.cookie}`;
  expect((await (await browser.start("ada")).json()).item.followsGuest).toBeUndefined();
  expect(browser.cookie).toBeUndefined();
  expect(await statusOf(browser, path)).toBe(404);
});

test("does not follow a guest whose cookie comes beside one that is followed already", async () => {
  const { browser, path } = await signedInGuest("chat_2011");
  const planted = await newGuest(t);
  const { path: plantedPath } = await newChat(upstream, planted, "chat_2012");
  const followed = browser.cookie;
  for (const cookie of [`${followed}; ${planted.cookie}`, `${planted.cookie}; ${followed}`]) {
    browser.cookie = cookie;
    for (const chat of [path, plantedPath]) expect(await statusOf(browser, chat)).toBe(404);
    const response = await browser.start();
    expect((await response.json()).item.followsGuest).toBeUndefined();
    expect(response.headers.getSetCookie()).toEqual([expect.stringContaining("Max-Age=0")]);
  }
});

test("keeps a replaced guest from coming back after sign-out", async () => {
  const [browser, planted] = [await newGuest(t), await newGuest(t)];
  const { path } = await newChat(upstream, planted, "chat_2013");
  browser.cookie = `${browser.cookie}; ${planted.cookie}`;
  // The new guest replaces both.
  expect((await browser.start()).status).toBe(201);
  await browser.start("ada");
  browser.signOut();
  browser.cookie = `${browser.cookie}; ${planted.cookie}`;
  expect(await statusOf(browser, path)).toBe(401);
});

test("ends with the guest's session, and so does the browser's cookie", async () => {
  let now = Date.now();
  const later = ownBff(environment, { guestChats: "follow", clock: () => now });
  const browser = await newGuest(later);
  const { path } = await newChat(upstream, browser, "chat_2014");
  now += sessionLifetime - 60_000;
  const response = await browser.start("ada");
  expect(response.headers.getSetCookie()).toEqual([expect.stringContaining("Max-Age=60;")]);
  expect(await statusOf(browser, path)).toBe(200);
  now += 60_000;
  expect(await statusOf(browser, path)).toBe(404);
});

test("ends after a week, even while it is cached", async () => {
  let now = Date.now();
  const later = ownBff(environment, { guestChats: "follow", clock: () => now });
  const { browser, path, response } = await signedInGuest("chat_2008", later);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringContaining(`Max-Age=${followedTime / 1000};`),
  ]);
  now += followedTime - 1;
  expect(await statusOf(browser, path)).toBe(200);
  now += 1;
  expect(await statusOf(browser, path)).toBe(404);
});

test("leaves the chats behind by default, whatever cookie there is", async () => {
  const { browser, path } = await signedInGuest("chat_2009");
  const leaving = ownBff(environment);
  const other = leaving.browser();
  other.cookie = browser.cookie;
  expect((await other.start("ada")).headers.getSetCookie()).toEqual([
    expect.stringMatching(`^${sessionCookieName}=; `),
  ]);
  expect(await statusOf(other, path)).toBe(404);
  const fresh = await signedInGuest("chat_2010", leaving);
  expect(await statusOf(fresh.browser, fresh.path)).toBe(404);
});

test("rejects another value of the option", () => {
  const guestChats = JSON.parse('"merge"');
  expect(() => createChatServer({ guestChats })).toThrow('guestChats must be "leave" or "follow"');
});
