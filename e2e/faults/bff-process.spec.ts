/** Hostile cases F, 119 and 123, and promises 4 and 14: the BFF stops, is killed, starts wrongly. */
import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { type ShopCaller, startSession } from "../bff/shop-browser.ts";
import { type ShopProcess, startShop } from "../support/shop-process.ts";
import { freePort, testKeys, World } from "../support/world.ts";

const question = { text: "Do you deliver to Ireland?" };

let world: World;
let port = 0;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  // Slow enough that a stream is always open when a test needs one.
  world = await World.startWithoutShop({ env: { CHANNEL_AGENT_PACE: "150" } });
  port = await freePort();
});
test.afterAll(() => world.stop());
// One world, in one worker.
test.describe.configure({ mode: "default" });

const start = (): Promise<ShopProcess> => {
  const { channelUrl: baseUrl, channelKey, chatKey } = world;
  return startShop({ channel: { baseUrl, channelKey, chatKey }, port });
};

function send(customer: ShopCaller, chatId: string, key: string): Promise<Response> {
  const headers = { accept: "text/event-stream", "idempotency-key": key };
  return customer.call("POST", `/api/chats/${chatId}/messages`, question, headers);
}

interface Streamed {
  text: string;
  terminal: string;
  /** The code of an error event. */
  code: string | undefined;
}

function readStream(body: string): Streamed {
  let text = "";
  let terminal = "";
  let code: string | undefined;
  for (const [, type = "", data = "{}"] of body.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)) {
    const parsed = JSON.parse(data);
    if (type === "start") text = "";
    if (type === "delta") text += parsed.text;
    if (type === "done") text = parsed.item.reply.text;
    if (type === "done" || type === "error") terminal = type;
    code = parsed.error?.code;
  }
  return { text, terminal, code };
}

/** Reads until the reply has begun, and says so; the rest follows. */
async function untilFirstDelta(response: Response): Promise<() => Promise<Streamed>> {
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("no body");
  const decoder = new TextDecoder();
  let body = "";
  while (!body.includes("event: delta")) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`ended before the first delta: ${body}`);
    body += decoder.decode(value, { stream: true });
  }
  return async () => {
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        body += decoder.decode(value, { stream: true });
      }
    } catch {
      // A killed server breaks the connection: what had arrived counts.
    }
    return readStream(body);
  };
}

async function expectAnsweredOnce(customer: ShopCaller, chatId: string, key: string): Promise<void> {
  const again = readStream(await (await send(customer, chatId, key)).text());
  expect(again.terminal).toBe("done");
  const { items } = await (await customer.call("GET", `/api/chats/${chatId}/messages`)).json();
  expect(items.map(({ role, text }: { role: string; text: string }) => [role, text])).toEqual([
    ["visitor", question.text],
    ["agent", again.text],
  ]);
}

test("#123 P14 SIGTERM: new requests are refused, open streams end in time, no reply is lost", async () => {
  const shop = await start();
  const customer = await startSession(shop.origin);
  const chatId = await customer.newChat();
  const key = randomUUID();
  const rest = await untilFirstDelta(await send(customer, chatId, key));

  const stopping = shop.stop("SIGTERM");
  const streamed = await rest();
  expect(await stopping).toBeLessThan(10_000);
  // Finished while there was time, or ended with the promise that the same request will do.
  expect(
    streamed.terminal === "done" || streamed.code === "service_unavailable",
    JSON.stringify(streamed),
  ).toBe(true);
  expect(shop.output()).toContain('"event":"stopped"');
  // Next's own end after SIGTERM: 128 and the signal's number.
  expect(shop.exitCode()).toBe(143);

  const restarted = await start();
  await expectAnsweredOnce(customer, chatId, key);
  await restarted.stop();
});

test("P14 SIGTERM with a stream that does not end: the process is gone in ten seconds", async () => {
  const slow = await World.startWithoutShop({ env: { CHANNEL_AGENT_PACE: "5000" } });
  const { channelUrl: baseUrl, channelKey, chatKey } = slow;
  const shop = await startShop({ channel: { baseUrl, channelKey, chatKey } });
  const customer = await startSession(shop.origin);
  const chatId = await customer.newChat();
  const rest = await untilFirstDelta(await send(customer, chatId, randomUUID()));
  const [milliseconds, streamed] = await Promise.all([shop.stop("SIGTERM"), rest()]);
  expect(streamed).toMatchObject({ terminal: "error", code: "service_unavailable" });
  expect(milliseconds).toBeLessThan(10_000);
  await slow.stop();
});

test("#119 P4 kill -9 in the middle of a reply: the same request brings the whole reply, once", async () => {
  const shop = await start();
  const customer = await startSession(shop.origin);
  const chatId = await customer.newChat();
  const key = randomUUID();
  const rest = await untilFirstDelta(await send(customer, chatId, key));
  await shop.stop("SIGKILL");
  expect((await rest()).terminal).toBe("");
  const restarted = await start();
  await expectAnsweredOnce(customer, chatId, key);
  await restarted.stop();
});

test("P5 kill -9 of the channel in the middle of a reply: the BFF takes the stream up again, and the page sees one reply", async () => {
  const shop = await start();
  const customer = await startSession(shop.origin);
  const chatId = await customer.newChat();
  const key = randomUUID();
  const rest = await untilFirstDelta(await send(customer, chatId, key));
  await world.killChannel();
  await world.startChannel();
  const streamed = await rest();
  expect(streamed.terminal).toBe("done");
  expect(streamed.text).toContain("Ireland");
  await expectAnsweredOnce(customer, chatId, key);
  await shop.stop();
});

test("#37 a configuration that cannot be used stops the start: every fault named, no value printed", async () => {
  const { channelUrl: baseUrl, channelKey } = world;
  const shop = await startShop({
    channel: { baseUrl, channelKey, chatKey: "wrong key 7391" },
    env: { SESSION_SECRET: "short-7391", APP_ORIGIN: "https://shop.example/path-7391" },
  });
  expect(shop.exitCode()).toBe(1);
  const output = shop.output();
  for (const variable of ["APP_ORIGIN", "CHAT_KEY", "SESSION_SECRET"])
    expect(output).toContain(`  ${variable}: `);
  expect(output).not.toContain("7391");
  expect(output).not.toContain("    at ");
});

test("#35 #44 the chat key and what customers write are in no answer and no line of the log, at the loudest level", async () => {
  const { channelUrl: baseUrl, channelKey, chatKey } = world;
  const shop = await startShop({ channel: { baseUrl, channelKey, chatKey } });
  const customer = await startSession(shop.origin);
  const chatId = await customer.newChat();
  const text = "A sentence that must not be logged 7391";
  const answers = [
    await customer.call("POST", `/api/chats/${chatId}/messages`, { text }),
    await customer.call("POST", `/api/chats/${chatId}/messages`, { text }, { accept: "text/event-stream" }),
    await customer.call("POST", `/api/chats/${chatId}/handoff`, {
      confirmationId: "x",
      email: "secret7391@example.com",
    }),
    await customer.call("GET", `/api/chats/${chatId}/messages?cursor=7391`),
    await customer.call("GET", "/api/nowhere"),
    await fetch(shop.origin),
    await fetch(`${shop.origin}/help`, { headers: { rsc: "1" } }),
  ];
  for (const answer of answers) {
    const everything = JSON.stringify([...answer.headers]) + (await answer.text());
    expect(everything).not.toContain(chatKey);
    expect(everything).not.toContain(testKeys.sessionSecret);
  }
  await shop.stop();
  const output = shop.output();
  expect(output).toContain('"route":"sendMessage"');
  for (const secret of [chatKey, testKeys.sessionSecret, text, "secret7391", customer.cookie.slice(20)]) {
    expect(output).not.toContain(secret);
  }
});
