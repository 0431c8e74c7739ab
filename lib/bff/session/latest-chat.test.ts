/** The cookie that names a guest's latest chat. */
import { expect, test } from "vitest";
import { hostilePeer, newChat, newGuest, sharedBff, signedIn } from "../testing/hostile-set-up.ts";
import type { TestBrowser } from "../testing/test-bff.ts";
import { createGuestSessions, sessionCookieName } from "./guest-sessions.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);

const lastChatOf = async (browser: TestBrowser) => (await (await browser.start()).json()).item.lastChatId;

/** The cookie of the creation of this chat. */
async function created(browser: TestBrowser, id: string): Promise<string[]> {
  upstream.createsChats(id);
  return (await browser.post("/api/chat/chats", {})).headers.getSetCookie();
}

test("names a guest's latest chat to their page, and to nobody else's", async () => {
  const browser = await newGuest(t);
  expect(await lastChatOf(browser)).toBeUndefined();
  await newChat(upstream, browser, "chat_3001");
  const [cookie = ""] = await created(browser, "chat_3002");
  expect(cookie).toMatch(
    new RegExp(
      `^${sessionCookieName}-last=[\\w-]{16}\\.chat_3002; Path=/; Max-Age=2592000; HttpOnly; Secure; `,
    ),
  );
  const [pair = ""] = cookie.split(";");
  browser.cookie = `${browser.cookie}; ${pair}`;
  expect(await lastChatOf(browser)).toBe("chat_3002");

  const other = await newGuest(t);
  other.cookie = `${other.cookie}; ${pair}`;
  expect(await lastChatOf(other)).toBeUndefined();
  other.cookie = `${other.cookie}; ${pair.replace("chat_3002", "../chats")}`;
  expect(await lastChatOf(other)).toBeUndefined();
});

test("names no chat of a customer", async () => {
  const browser = await signedIn(t, "ada");
  expect(await created(browser, "chat_3003")).toEqual([]);
});

test("does not take the session's name of another chat server at the origin", () => {
  const tags = { current: "a".repeat(16), logged: "", former: [] };
  const nameOf = (setCookie: string) => setCookie.split("=")[0];
  const at = (basePath: string) =>
    createGuestSessions(
      { appOrigin: "https://shop.example", sessionSecrets: ["x".repeat(32)] },
      { basePath },
    );
  for (const [one, other] of [
    ["/help", "/help-last"],
    ["/api/chat", "/-last"],
    ["/api/chat", "/last"],
  ] as const)
    expect(nameOf(at(one).rememberChat("chat_1", tags))).not.toBe(nameOf(at(other).forget()));
});
