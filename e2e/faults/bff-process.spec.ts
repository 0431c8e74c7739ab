/** The BFF as a process: graceful stops, invalid configurations and limits. */
import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { expect, test } from "@playwright/test";
import type { TurnEvent } from "#lib/chat-api/turn-events.ts";
import { eventsOf } from "#lib/chat-client/testing/streams.ts";
import { Lab } from "../../channel/lab/lab-client.ts";
import { freePort } from "../../processes/free-port.ts";
import { type ShopProcess, startShop } from "../../testing/processes/shop-process.ts";
import { sandboxAgent, TestEnvironment } from "../../testing/processes/test-environment.ts";
import { pageHeaders, type ShopCaller, startSession } from "../bff/shop-browser.ts";

const question = { text: "Do you deliver to Ireland?" };

let environment: TestEnvironment;
let port = 0;
test.beforeAll(async () => {
  environment = await TestEnvironment.startWithoutShop({ env: sandboxAgent });
  port = await freePort();
});
test.afterAll(() => environment.stop());
// One environment in one worker. Most tests start programs, which takes long on a busy machine.
test.describe.configure({ mode: "default", timeout: 150_000 });

const start = (): Promise<ShopProcess> => startShop({ channel: environment, port });

function send(customer: ShopCaller, chatId: string, key: string): Promise<Response> {
  const headers = { accept: "text/event-stream", "idempotency-key": key };
  return customer.call("POST", `/api/chat/chats/${chatId}/messages`, question, headers);
}

/** Reads until the reply has begun. The returned function resolves with the end of the stream. */
async function untilFirstDelta(response: Response): Promise<() => Promise<TurnEvent | undefined>> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let body = "";
  const read = async () => {
    const { done = true, value = "" } = (await reader?.read()) ?? {};
    body += value;
    return !done;
  };
  while (!body.includes("event: delta"))
    if (!(await read())) throw new Error(`the stream ended before the first delta: ${body}`);
  return async () => {
    while (await read());
    return eventsOf(body).at(-1);
  };
}

async function expectAnsweredOnce(customer: ShopCaller, chatId: string, key: string): Promise<void> {
  const again = eventsOf(await (await send(customer, chatId, key)).text()).at(-1);
  if (again?.type !== "done") throw new Error(`the stream ended with ${JSON.stringify(again)}`);
  const { items } = await (await customer.call("GET", `/api/chat/chats/${chatId}/messages`)).json();
  expect(items).toEqual([again.item.message, again.item.reply]);
  expect(items).toMatchObject([{ role: "visitor", text: question.text }, { role: "agent" }]);
}

test("SIGTERM ends an endless stream and loses no reply", async () => {
  const shop = await start();
  const customer = await startSession(shop.origin);
  const chatId = await customer.newChat();
  const lab = new Lab(environment);
  await lab.reply({ text: "One two three", holdsAfter: 1 }, chatId);
  const key = randomUUID();
  const rest = await untilFirstDelta(await send(customer, chatId, key));

  const [, end] = await Promise.all([shop.stop("SIGTERM"), rest()]);
  // This code tells the client to repeat the request with the same key.
  expect(end).toMatchObject({ type: "error", error: { code: "service_unavailable" } });
  expect(shop.output()).toContain('"event":"stopped"');
  // Next exits with 128 plus the signal's number after SIGTERM.
  expect(shop.exitCode()).toBe(143);

  await lab.continueReply(chatId);
  const restarted = await start();
  await expectAnsweredOnce(customer, chatId, key);
  await restarted.stop();
});

test("refuses to start on an invalid configuration, naming faults but no value", async () => {
  const { channelUrl, channelKey } = environment;
  const start = startShop({
    channel: { channelUrl, channelKey, chatKey: "wrong key 7391" },
    env: { SESSION_SECRET: "short-7391", APP_ORIGIN: "https://shop.example/path-7391" },
  });
  const output = await start.then(
    () => "the shop started",
    (error: Error) => error.message,
  );
  expect(output).toContain("ended (1) before it was ready");
  for (const variable of ["APP_ORIGIN", "CHAT_KEY", "SESSION_SECRET"])
    expect(output).toContain(`  ${variable}: `);
  expect(output).not.toContain("7391");
  expect(output).not.toContain("    at ");
});

/** Starts a session from this local address, with a forged `X-Forwarded-For`. Resolves with the status. */
function newGuest(localAddress: string): Promise<number> {
  const body = "{}";
  const headers = {
    ...pageHeaders,
    "content-type": "application/json",
    "content-length": body.length,
    "x-forwarded-for": `198.51.100.${Math.floor(Math.random() * 256)}`,
  };
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path: "/api/chat/session", method: "POST", localAddress, headers })
      .on("response", (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
      })
      .on("error", reject)
      .end(body);
  });
}

test("limits new guests by the connection's address when there are no proxies", async () => {
  const shop = await start();
  try {
    const statuses: number[] = [];
    // Counts begin anew with each minute.
    for (let round = 0; round < 40 && !statuses.includes(429); round += 1)
      statuses.push(...(await Promise.all(Array.from({ length: 46 }, () => newGuest("127.0.0.1")))));
    expect(statuses).toContain(429);
    // The loopback address may be a proxy's, so it gets half of the 1,200.
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(600);
    const limit = '"limitedBy":"newSession:address:60"';
    await expect.poll(() => shop.output()).toContain(limit);
    // On Linux every address of 127.0.0.0/8 is local; elsewhere only 127.0.0.1.
    if (process.platform === "linux") expect(await newGuest("127.0.0.2")).toBe(201);
  } finally {
    await shop.stop();
  }
});
