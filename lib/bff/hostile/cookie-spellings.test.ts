/** Respelt sealed cookies: only the exact text that the BFF wrote is a session. */
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { cases } from "../../../testing/unit/cases.ts";
import { sessionCookieName } from "../session/guest-sessions.ts";
import { hostilePeer, newGuest, ownBff, sharedBff } from "../testing/hostile-set-up.ts";
import type { TestBff, TestBrowser } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);
beforeEach(() => {
  upstream.createsChats();
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

/** One browser per spelling, all with the same guest. */
async function copies(bff: TestBff): Promise<TestBrowser[]> {
  const browser = await newGuest(bff);
  return spellings(String(browser.cookie)).map((cookie) => {
    const copy = bff.browser();
    copy.cookie = cookie;
    return copy;
  });
}

/** The status of reading an unknown chat: 404 with a session, 401 without one. */
const statusOf = async (copy: TestBrowser) => (await copy.get("/api/chat/chats/chat_9999")).status;

test("accepts only the spelling that the BFF wrote", async () => {
  const [own, ...others] = await copies(t);
  if (own === undefined) throw new Error("There is no spelling");
  expect(others.length).toBeGreaterThan(20);
  expect(await statusOf(own)).toBe(404);
  for (const copy of others) expect(await statusOf(copy), String(copy.cookie)).toBe(401);
  expect(await statusOf(own)).toBe(404);
});

test("limits a customer across all devices, whatever guest session each device had", async () => {
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
      const copy = t.browser();
      copy.cookie = other;
      expect(await statusOf(copy), other).toBe(bare(other) === cookie ? 404 : 401);
    }),
    { seed, numRuns: cases(2_000) },
  );
});
