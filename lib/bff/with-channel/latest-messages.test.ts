/** A chat's latest messages in one request to the BFF, and the number of calls to a real channel. */
import { afterAll, expect, inject, test } from "vitest";
import { Lab } from "../../../testing/lab/lab-client.ts";
import { userIdOfCustomer } from "../session/customer.ts";
import { startTestBff, testEnvironment } from "../testing/test-bff.ts";

const channel = inject("channel");
const lab = new Lab(channel);
const environment = testEnvironment(channel);
const t = startTestBff(environment);
afterAll(() => t.stop());

const start = Date.parse("2026-03-01T08:00:00.000Z");
let chats = 0;

/** Creates a chat of Maya's with this many messages; returns its path. */
async function longChat(length: number): Promise<string> {
  chats += 1;
  const id = `chat_latest_${chats}`;
  await lab.importChat({
    id,
    userId: userIdOfCustomer("maya-okafor"),
    messages: Array.from({ length }, (_, index) => ({
      role: index % 2 === 0 ? "visitor" : "agent",
      text: `${index}`,
      createdAt: new Date(start + index * 60_000).toISOString(),
    })),
  });
  return `/api/chat/chats/${id}/messages`;
}

async function maya(bff = t) {
  const browser = bff.browser();
  await browser.start("maya-okafor");
  return browser;
}

interface Latest {
  items: { text: string }[];
  starts: (string | null)[];
  first: number;
  nextCursor: string | null;
}

/** Calls to the channel for the BFF's last response, ownership check included. */
function lastCost(bff = t): number {
  const line = bff.lines.findLast(({ route }) => route === "latestMessages");
  return Number(line?.["upstreamRequests"] ?? 1);
}

test("reads the end of 2,000 messages in one request, and from one page the next time", async () => {
  const path = await longChat(2_000);
  const browser = await maya();
  const latest: Latest = await (await browser.get(`${path}/latest`)).json();
  expect(latest.items.at(-1)?.text).toBe("1999");
  expect(latest.starts).toHaveLength(40);
  expect(latest).toMatchObject({ first: 39, nextCursor: null });
  expect(lastCost()).toBeGreaterThanOrEqual(40);

  expect(await (await (await maya()).get(`${path}/latest`)).json()).toEqual(latest);
  expect(lastCost()).toBe(1);

  // The page before it follows without a gap.
  const query = new URLSearchParams({ limit: "50", cursor: latest.starts[38] ?? "" });
  const before: Latest = await (await browser.get(`${path}?${query}`)).json();
  expect(before.items.map(({ text }) => Number(text))).toEqual(
    Array.from({ length: 50 }, (_, index) => 1_900 + index),
  );
  expect(latest.items[0]?.text).toBe("1950");
});

test("starts at the browser's cursor when the server knows no pages", async () => {
  const path = await longChat(510);
  const { starts }: Latest = await (await (await maya()).get(`${path}/latest`)).json();
  const restarted = startTestBff(environment);
  const browser = await maya(restarted);
  const cursor = starts.at(-2) ?? "";
  const latest: Latest = await (await browser.get(`${path}/latest?cursor=${cursor}`)).json();
  expect(latest.starts).toHaveLength(2);
  expect(latest.starts[0]).toBe(cursor);
  // The last page has ten messages, so the page before it is added to fill the screen.
  expect(latest.items).toHaveLength(60);
  expect(latest.first).toBe(0);
  expect(lastCost(restarted)).toBeLessThanOrEqual(3);
  await restarted.stop();
});

test("reads one page for a short or empty chat", async () => {
  const browser = await maya();
  for (const length of [0, 7]) {
    const path = await longChat(length);
    await browser.get(path);
    const latest: Latest = await (await browser.get(`${path}/latest`)).json();
    expect(latest.items).toHaveLength(length);
    expect(latest).toMatchObject({ starts: [null], first: 0, nextCursor: null });
    expect(lastCost()).toBe(1);
  }
});

test("hides the chat from a stranger and rejects a malformed cursor", async () => {
  const path = await longChat(3);
  const stranger = t.browser();
  await stranger.start("lukas-brandt");
  expect((await stranger.get(`${path}/latest`)).status).toBe(404);
  expect((await t.browser().get(`${path}/latest`)).status).toBe(401);
  expect((await (await maya()).get(`${path}/latest?cursor=a.b`)).status).toBe(400);
});
