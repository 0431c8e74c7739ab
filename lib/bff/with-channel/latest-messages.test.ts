/** A chat's end in one request, against a real channel: what it costs the Chat API, the first time and later. */
import { afterAll, expect, inject, test } from "vitest";
import { userIdOfCustomer } from "../identity.ts";
import { startTestBff, testEnvironment } from "../testing/test-bff.ts";

const channel = inject("channel");
const environment = testEnvironment(channel);
const t = startTestBff(environment);
afterAll(() => t.stop());

const start = Date.parse("2026-03-01T08:00:00.000Z");
let chats = 0;

/** A chat of Maya's with so many messages; gives its path. */
async function longChat(length: number): Promise<string> {
  chats += 1;
  const id = `chat_latest_${chats}`;
  const response = await fetch(`${channel.baseUrl}/lab/chats`, {
    method: "POST",
    headers: { authorization: `Bearer ${channel.teamKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      id,
      userId: userIdOfCustomer("maya-okafor"),
      messages: Array.from({ length }, (_, index) => ({
        role: index % 2 === 0 ? "visitor" : "agent",
        text: `${index}`,
        createdAt: new Date(start + index * 60_000).toISOString(),
      })),
    }),
  });
  expect(response.ok, await response.text()).toBe(true);
  return `/api/chats/${id}/messages`;
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

/** Requests that the BFF's answer to the last call took, the owner's check among them. */
function lastCost(bff = t): number {
  const line = bff.lines.findLast(({ route }) => route === "latestMessages");
  return Number(line?.["upstreamRequests"] ?? 1);
}

test("the end of 2,000 messages is one request; the second time it is one page away, for every device", async () => {
  const path = await longChat(2_000);
  const browser = await maya();
  const latest: Latest = await (await browser.get(`${path}/latest`)).json();
  expect(latest.items.at(-1)?.text).toBe("1999");
  expect(latest.starts).toHaveLength(40);
  expect(latest).toMatchObject({ first: 39, nextCursor: null });
  expect(lastCost()).toBeGreaterThanOrEqual(40);

  expect(await (await (await maya()).get(`${path}/latest`)).json()).toEqual(latest);
  expect(lastCost()).toBe(1);

  // Its pages lead back to the beginning, without a gap.
  const query = new URLSearchParams({ limit: "50", cursor: latest.starts[38] ?? "" });
  const before: Latest = await (await browser.get(`${path}?${query}`)).json();
  expect(before.items.map(({ text }) => Number(text))).toEqual(
    Array.from({ length: 50 }, (_, index) => 1_900 + index),
  );
  expect(latest.items[0]?.text).toBe("1950");
});

test("a server that knows nothing yet begins where the browser says", async () => {
  const path = await longChat(510);
  const { starts }: Latest = await (await (await maya()).get(`${path}/latest`)).json();
  const restarted = startTestBff(environment);
  const browser = await maya(restarted);
  const cursor = starts.at(-2) ?? "";
  const latest: Latest = await (await browser.get(`${path}/latest?cursor=${cursor}`)).json();
  expect(latest.starts).toHaveLength(2);
  expect(latest.starts[0]).toBe(cursor);
  // The last page has ten messages: the page before it fills the screen.
  expect(latest.items).toHaveLength(60);
  expect(latest.first).toBe(0);
  expect(lastCost(restarted)).toBeLessThanOrEqual(3);
  await restarted.stop();
});

test("a chat of few messages and one of none cost one page", async () => {
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

test("#9 #65 a stranger gets what an unknown chat gets, and a cursor that none can be is refused", async () => {
  const path = await longChat(3);
  const stranger = t.browser();
  await stranger.start("lukas-brandt");
  expect((await stranger.get(`${path}/latest`)).status).toBe(404);
  expect((await t.browser().get(`${path}/latest`)).status).toBe(401);
  expect((await (await maya()).get(`${path}/latest?cursor=a.b`)).status).toBe(400);
});
