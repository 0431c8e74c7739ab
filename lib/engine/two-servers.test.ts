import { expect, onTestFinished, test } from "vitest";
import { createChat } from "./create-chat.ts";
import { guestSession } from "./testing/chat-page.ts";
import { memoryBrowser } from "./testing/memory-browser.ts";

/** The page of one chat server, in the browser of all. The server answers the session alone. */
function aPageOf(api: string, browser: ReturnType<typeof memoryBrowser>) {
  const used = { requests: [] as string[], locks: [] as string[], channels: [] as string[] };
  const chat = createChat({
    api,
    locale: "en",
    browser: {
      ...browser,
      fetch(address) {
        used.requests.push(address);
        return address.endsWith("/session") ? Promise.resolve(guestSession()) : new Promise(() => undefined);
      },
      locks: {
        request(name: string, ...rest: unknown[]) {
          used.locks.push(name);
          return Reflect.apply(browser.locks?.request ?? expect.fail, browser.locks, [name, ...rest]);
        },
      },
      openChannel(name) {
        used.channels.push(name);
        return browser.openChannel(name);
      },
    },
  });
  onTestFinished(chat.close);
  return { chat, ...used };
}

const pendingTexts = ({ chat }: ReturnType<typeof aPageOf>) =>
  chat.getState().conversation.pending.map(({ record }) => record.text);

test("keeps what two chat servers of one origin store, lock and tell apart", async () => {
  const browser = memoryBrowser();
  const sales = aPageOf("/api/chat", browser);
  sales.chat.start();
  sales.chat.send("Do you deliver to Ireland?");
  await expect.poll(() => sales.requests).toContain("/api/chat/chats");
  const ofSales = [...browser.local.names(), ...browser.tab.names()];
  const repairs = aPageOf("/repairs/chat", browser);
  repairs.chat.start();
  await expect.poll(() => repairs.chat.getState().owner).toBe("guest");
  expect(pendingTexts(repairs)).toEqual([]);
  repairs.chat.send("Is my bike ready?");
  await expect.poll(() => repairs.requests).toContain("/repairs/chat/chats");
  const ofRepairs = [...browser.local.names(), ...browser.tab.names()].filter(
    (name) => !ofSales.includes(name),
  );
  expect(ofSales).toContainEqual(expect.stringMatching(/^shop-chat:1:guest:message:/));
  expect(ofRepairs).toContainEqual(expect.stringMatching(/^shop-chat\/repairs\/chat:1:guest:message:/));
  expect(ofRepairs.filter((name) => !name.startsWith("shop-chat/repairs/chat:1:"))).toEqual([]);
  expect(repairs.locks.filter((name) => sales.locks.includes(name))).toEqual([]);
  expect(repairs.channels.filter((name) => sales.channels.includes(name))).toEqual([]);
  expect(pendingTexts(sales)).toEqual(["Do you deliver to Ireland?"]);
});
