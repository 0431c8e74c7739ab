/** The BFF as a process: graceful stops, invalid configurations and limits. */
import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { expect, test } from "@playwright/test";
import { Lab } from "../../testing/lab/lab-client.ts";
import { freePort } from "../../testing/processes/program.ts";
import { type ShopProcess, startShop } from "../../testing/processes/shop-process.ts";
import { TestEnvironment } from "../../testing/processes/test-environment.ts";
import { pageHeaders, type ShopCaller, startSession } from "../bff/shop-browser.ts";

const question = { text: "Do you deliver to Ireland?" };

let environment: TestEnvironment;
let port = 0;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  // Slow enough that a stream stays open for as long as a test needs it.
  environment = await TestEnvironment.startWithoutShop({ env: { CHANNEL_AGENT_PACE: "150" } });
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

/** Reads until the reply has begun. `rest` resolves with the remaining stream. */
async function untilFirstDelta(response: Response): Promise<() => Promise<Streamed>> {
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("no body");
  const decoder = new TextDecoder();
  let body = "";
  while (!body.includes("event: delta")) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended before the first delta: ${body}`);
    body += decoder.decode(value, { stream: true });
  }
  return async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return readStream(body);
      body += decoder.decode(value, { stream: true });
    }
  };
}

async function expectAnsweredOnce(customer: ShopCaller, chatId: string, key: string): Promise<void> {
  const again = readStream(await (await send(customer, chatId, key)).text());
  expect(again.terminal).toBe("done");
  const { items } = await (await customer.call("GET", `/api/chat/chats/${chatId}/messages`)).json();
  expect(items.map(({ role, text }: { role: string; text: string }) => [role, text])).toEqual([
    ["visitor", question.text],
    ["agent", again.text],
  ]);
}

test("SIGTERM refuses new requests, ends open streams in time and loses no reply", async () => {
  const shop = await start();
  const customer = await startSession(shop.origin);
  const chatId = await customer.newChat();
  const key = randomUUID();
  const rest = await untilFirstDelta(await send(customer, chatId, key));

  const stopping = shop.stop("SIGTERM");
  const streamed = await rest();
  expect(await stopping).toBeLessThan(10_000);
  // The stream is complete, or ends with an error that allows the same request again.
  expect(
    streamed.terminal === "done" || streamed.code === "service_unavailable",
    JSON.stringify(streamed),
  ).toBe(true);
  expect(shop.output()).toContain('"event":"stopped"');
  // Next exits with 128 plus the signal's number after SIGTERM.
  expect(shop.exitCode()).toBe(143);

  const restarted = await start();
  await expectAnsweredOnce(customer, chatId, key);
  await restarted.stop();
});

test("SIGTERM ends the process within ten seconds despite an endless stream", async () => {
  const shop = await start();
  const customer = await startSession(shop.origin);
  const chatId = await customer.newChat();
  const lab = new Lab(environment);
  await lab.reply({ text: "One two three", holdsAfter: 1 }, chatId);
  const rest = await untilFirstDelta(await send(customer, chatId, randomUUID()));
  const [milliseconds, streamed] = await Promise.all([shop.stop("SIGTERM"), rest()]);
  expect(streamed).toMatchObject({ terminal: "error", code: "service_unavailable" });
  expect(milliseconds).toBeLessThan(10_000);
  await lab.continueReply(chatId);
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
      .on("response", (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode ?? 0));
      })
      .on("error", reject)
      .end(body);
  });
}

test("limits newcomers by the connection's address when there are no proxies", async () => {
  const shop = await start();
  try {
    const statuses: number[] = [];
    for (let round = 0; round < 10; round += 1)
      statuses.push(...(await Promise.all(Array.from({ length: 46 }, () => newGuest("127.0.0.1")))));
    // The loopback address may be a proxy's, so it gets half of the 1,200, and newcomers get three quarters
    // of that.
    expect(statuses.filter((status) => status === 201)).toHaveLength(450);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    const limit = '"limitedBy":"newSession:shared-address-newcomers:60"';
    await expect.poll(() => shop.output()).toContain(limit);
    // On Linux every address of 127.0.0.0/8 is local; elsewhere only 127.0.0.1.
    if (process.platform === "linux") expect(await newGuest("127.0.0.2")).toBe(201);
  } finally {
    await shop.stop();
  }
});
