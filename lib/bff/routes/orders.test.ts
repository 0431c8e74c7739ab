/** The shop's orders: a customer sees their own, a guest one by one, and whoever guesses learns nothing. */
import { afterAll, expect, test } from "vitest";
import { rateLimitTable } from "../rate-limits.ts";
import { startTestBff, testEnvironment } from "../testing/test-bff.ts";

// The Chat API is never asked: nothing listens here.
const environment = testEnvironment({ baseUrl: "https://chat.example", channelKey: "dep_orders_test" });
const t = startTestBff(environment);
const limited = startTestBff(environment, { rateLimitTable });
afterAll(async () => {
  await t.stop();
  await limited.stop();
});

const maya = { reference: "TT-100482", email: "maya.okafor@example.com" };

test("without a session there are no orders, neither to list nor to find", async () => {
  const browser = t.browser();
  expect((await browser.get("/api/orders")).status).toBe(401);
  expect((await browser.post("/api/orders/find", maya)).status).toBe(401);
});

test("a signed-in customer gets their own orders, a guest none", async () => {
  const browser = t.browser();
  await browser.start();
  expect(await (await browser.get("/api/orders")).json()).toEqual({ items: [] });
  await browser.start("kenji-mori");
  const { items } = await (await browser.get("/api/orders")).json();
  expect(items).toHaveLength(12);
  expect(JSON.stringify(items)).not.toContain("@");
});

test("an order is found by reference and e-mail address together", async () => {
  const browser = t.browser();
  await browser.start();
  const response = await browser.post("/api/orders/find", maya);
  expect(response.status).toBe(200);
  expect((await response.json()).item).toMatchObject({ reference: "TT-100482", status: "Out for delivery" });
});

test("a wrong reference, a wrong address and being somebody else all answer the same", async () => {
  const browser = t.browser();
  await browser.start("kenji-mori");
  const answers = await Promise.all(
    [
      { ...maya, reference: "TT-000000" },
      { ...maya, email: "kenji.mori@example.com" },
      { reference: "", email: "" },
    ].map(async (guess) => {
      const response = await browser.post("/api/orders/find", guess);
      const { error } = await response.json();
      return { status: response.status, code: error.code, message: error.message };
    }),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 404, code: "not_found" });
});

test("what is not a question is refused by its field", async () => {
  const browser = t.browser();
  await browser.start();
  const refusal = async (body: object) => (await (await browser.post("/api/orders/find", body)).json()).error;
  expect(await refusal({ reference: "TT-100482" })).toMatchObject({
    code: "invalid_request",
    field: "/email",
  });
  expect(await refusal({ ...maya, reference: "x".repeat(65) })).toMatchObject({ field: "/reference" });
  expect(await refusal({ ...maya, customerId: "maya-okafor" })).toMatchObject({ code: "invalid_request" });
});

test("guessing is slowed down, and told for how long", async () => {
  const browser = limited.browser();
  await browser.start();
  const statuses: number[] = [];
  let last: Response | undefined;
  for (let guess = 0; guess <= rateLimitTable.findOrder.perSession[0].calls; guess++) {
    last = await browser.post("/api/orders/find", { ...maya, reference: `TT-1${guess}` });
    statuses.push(last.status);
  }
  expect(statuses.slice(0, -1).every((status) => status === 404)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
});
