import { createServer, type IncomingMessage } from "node:http";
import { afterAll, expect, test } from "vitest";
import { listenLocally } from "../testing/local-server.ts";
import { openShop } from "./knowledge/shop.ts";
import { createModelAgent, type ModelLimits, modelLimits } from "./model-agent.ts";
import { aTurn, collectReply, createShopAgent } from "./testing/turns.ts";

/** The endpoint's answer to one request: text, tool calls, a refusal, or silence. */
type Step =
  | { say: string[] }
  | { call: [name: string, input: unknown][] }
  | { status: number }
  | { silent: true };

interface Recorded {
  headers: IncomingMessage["headers"];
  body: {
    model: string;
    messages: { role: string; content: unknown }[];
    tools: { function: { name: string } }[];
  };
}

let script: readonly Step[] = [];
const requests: Recorded[] = [];

/** A local endpoint that plays the test's script as a chat completions event stream. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const step = script[Math.min(requests.length, script.length - 1)];
  requests.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
  if (!step || "silent" in step) return;
  if ("status" in step) {
    response.writeHead(step.status, { "Content-Type": "application/json" }).end('{"error":{"message":"no"}}');
    return;
  }
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const send = (delta: object, finish: string | null = null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    response.write(
      `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`,
    );
  };
  if ("say" in step) for (const content of step.say) send({ role: "assistant", content });
  else {
    const tool_calls = step.call.map(([name, input], index) => ({
      index,
      id: `call-${requests.length}-${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }));
    send({ role: "assistant", tool_calls });
  }
  send({}, "say" in step ? "stop" : "tool_calls");
  response.end("data: [DONE]\n\n");
});
const endpoint = {
  url: `http://127.0.0.1:${await listenLocally(server)}/v1`,
  name: "test-model",
  key: "secret",
};
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const shop = openShop("https://shop.example");
const fallback = createShopAgent({ shop, pace: 0 });
const agentWith = (limits = modelLimits) => createModelAgent({ shop, endpoint, fallback, limits });
/** Shared by most tests, because creating an agent indexes the shop's content. */
const usualAgent = agentWith();

function agentOver(steps: readonly Step[], limits?: ModelLimits) {
  script = steps;
  requests.length = 0;
  return { agent: limits === undefined ? usualAgent : agentWith(limits), requests };
}

test("calls the model with its key, six tools and the turn's idempotency key", async () => {
  const { agent, requests } = agentOver([{ say: ["Hello ", "there."] }]);
  const reply = await collectReply(agent, aTurn("hi", { operationId: "op-7" }));
  expect(reply.text).toBe("Hello there.");
  expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer secret" });
  expect(requests[0]?.headers["idempotency-key"]).toMatch(/^op-7:[\w-]{43}$/);
  expect(requests[0]?.body.model).toBe("test-model");
  expect(requests[0]?.body.tools.map((each) => each.function.name)).toEqual([
    "search_help",
    "find_products",
    "look_up_orders",
    "ask_for_details",
    "offer_team",
    "suggest_replies",
  ]);
});

test("takes cards and sources from tools, not from the model's text", async () => {
  const { agent } = agentOver([
    {
      call: [
        ["find_products", { kinds: ["helmet"] }],
        ["search_help", { question: "Do you deliver to Ireland?" }],
      ],
    },
    { say: ["We have three helmets. ", "The Ghost helmet is on its way."] },
  ]);
  const reply = await collectReply(agent, aTurn("helmets, and do you deliver to Ireland?"));
  expect(reply.products.map((product) => product.id)).toEqual(["tt-3001", "tt-3002", "tt-3003"]);
  expect(reply.citations[0]?.url).toBe("https://shop.example/help/delivery#ireland");
});

test("repeats a request under its key, after an error and in the turn's second attempt", async () => {
  const call: Step = { call: [["search_help", { question: "Do you deliver to Ireland?" }]] };
  const turn = aTurn("do you deliver to Ireland?");
  const keysOf = async (steps: readonly Step[]) => {
    const { agent, requests } = agentOver(steps);
    await collectReply(agent, turn);
    return requests.map(({ headers }) => headers["idempotency-key"]);
  };
  const [first, again, second] = await keysOf([{ status: 500 }, call, { say: ["Yes."] }]);
  expect(again).toBe(first);
  expect(second).not.toBe(first);
  expect((await keysOf([call, { say: ["Yes."] }]))[0]).toBe(first);
});

test("drops sentences with amounts that no tool returned", async () => {
  const { agent } = agentOver([
    { call: [["find_products", { ids: ["tt-3001"] }]] },
    { say: ["The Kestrel costs £65. ", "Today it is only £", "19.99! ", "It is in stock."] },
  ]);
  const reply = await collectReply(agent, aTurn("price of the kestrel"));
  expect(reply.text).toBe("The Kestrel costs £65. It is in stock.");
});

test("never shows another customer's order", async () => {
  const { agent, requests } = agentOver([
    { call: [["look_up_orders", { reference: "TT-100482" }]] },
    { say: ["I cannot show it."] },
  ]);
  const reply = await collectReply(agent, aTurn("show TT-100482", { userId: "cust.lukas-brandt" }));
  expect(reply.orders).toEqual([]);
  expect(JSON.stringify(requests[1]?.body.messages)).not.toContain("Out for delivery");
});

test("refuses tool calls above the limit, so that the model answers", async () => {
  const { agent, requests } = agentOver(
    [
      {
        call: [
          ["search_help", { question: "returns" }],
          ["search_help", { question: "delivery" }],
        ],
      },
      { say: ["Done."] },
    ],
    { ...modelLimits, toolCalls: 1 },
  );
  expect((await collectReply(agent, aTurn("returns and delivery"))).text).toBe("Done.");
  expect(JSON.stringify(requests[1]?.body.messages)).toContain("No more tool calls");
});

test("stops a model that only calls tools at the limit of steps", async () => {
  const { agent, requests } = agentOver([{ call: [["search_help", { question: "returns" }]] }], {
    ...modelLimits,
    steps: 3,
  });
  const reply = await collectReply(agent, aTurn("returns"));
  expect(requests).toHaveLength(3);
  expect(reply.citations.length).toBeGreaterThan(0);
});

test("falls back to the shop's agent when the endpoint answers 401", async () => {
  const { agent } = agentOver([{ status: 401 }]);
  expect((await collectReply(agent, aTurn("Do you deliver to Ireland?"))).text).toMatch(/^Yes, we deliver/);
});

test("falls back to the shop's agent when the model stays silent", async () => {
  const { agent } = agentOver([{ silent: true }], {
    ...modelLimits,
    wholeTurn: 300,
    oneStep: 300,
    silence: 300,
  });
  expect((await collectReply(agent, aTurn("Do you deliver to Ireland?"))).text).toMatch(/^Yes, we deliver/);
});

test("does not fall back when the turn is aborted", async () => {
  const { agent } = agentOver([{ silent: true }]);
  const controller = new AbortController();
  controller.abort();
  const events = agent.reply(aTurn("hello"), controller.signal)[Symbol.asyncIterator]();
  await expect(events.next()).rejects.toThrow();
});
