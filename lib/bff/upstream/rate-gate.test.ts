import { expect, test } from "vitest";
import type { OperationName } from "../../chat-api/operations.ts";
import { createRateGate, type UpstreamCaller } from "./rate-gate.ts";

const callerOf = (customer: string): UpstreamCaller => ({ customer, chatId: `chat_${customer}` });
const maya = callerOf("maya");
const lea = callerOf("lea");

/** A rate gate whose clock advances only on demand. */
function aGate() {
  let time = 0;
  const gate = createRateGate(() => time);
  const refuse = (caller: UpstreamCaller, retryAfterSeconds: number | undefined) =>
    gate.refused({ caller, operation: "sendMessage", retryAfterSeconds });
  return {
    ...gate,
    refuse,
    refuseAll: (customers: readonly string[], seconds: number) => {
      for (const customer of customers) refuse(callerOf(customer), seconds);
    },
    wait: (caller: UpstreamCaller, operation: OperationName = "sendMessage") => gate.admit(caller, operation),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

const four = ["maya", "tom", "ada", "ben"];
const five = [...four, "zoe"];

test("holds back only the chat whose message was refused", () => {
  const gate = aGate();
  gate.refuse(maya, 30);
  expect(gate.wait(maya)).toBe(30_000);
  expect(gate.wait(maya, "listMessages")).toBeLessThanOrEqual(0);
  expect(gate.wait({ ...maya, chatId: "chat_other" })).toBeLessThanOrEqual(0);
  expect(gate.wait(lea)).toBeLessThanOrEqual(0);
});

test("holds back only the customer whose call without a chat was refused", () => {
  const gate = aGate();
  const create = { customer: "maya", chatId: undefined };
  gate.refused({ caller: create, operation: "createChat", retryAfterSeconds: 5 });
  expect(gate.wait(create, "createChat")).toBe(5_000);
  expect(gate.wait({ ...create, customer: "tom" }, "createChat")).toBeLessThanOrEqual(0);
});

test("holds back nobody else after refusals of four customers, however many", () => {
  const gate = aGate();
  for (let round = 0; round < 10; round += 1) gate.refuseAll(four, 30);
  expect(gate.wait(lea)).toBeLessThanOrEqual(0);
});

test("holds back everyone after refusals of five customers with nobody served", () => {
  const gate = aGate();
  gate.refuseAll(five, 20);
  expect(gate.wait(lea, "getChat")).toBe(20_000);
  gate.pass(20_000);
  expect(gate.wait(lea, "getChat")).toBeLessThanOrEqual(0);
});

test("holds back nobody else when another customer was served between the refusals", () => {
  const gate = aGate();
  gate.refuseAll(four, 30);
  gate.served();
  gate.refuse(callerOf("zoe"), 30);
  expect(gate.wait(lea)).toBeLessThanOrEqual(0);
});

test("holds back nobody else when the five refusals are more than a minute apart", () => {
  const gate = aGate();
  gate.refuseAll(four, 30);
  gate.pass(60_000);
  gate.refuse(callerOf("zoe"), 30);
  expect(gate.wait(lea)).toBeLessThanOrEqual(0);
});

test("lets one probe a second through while everyone is held back, and opens once it is served", () => {
  const gate = aGate();
  gate.refuseAll(five, 30);
  expect(gate.wait(lea)).toBe(30_000);
  gate.pass(1_000);
  // A refused caller waits, even if another one probes.
  expect(gate.wait(maya)).toBe(29_000);
  expect(gate.wait(lea)).toBeLessThanOrEqual(0);
  expect(gate.wait(callerOf("kim"))).toBe(29_000);
  gate.pass(1_000);
  expect(gate.wait(callerOf("kim"))).toBeLessThanOrEqual(0);
  gate.served();
  expect(gate.wait(lea)).toBeLessThanOrEqual(0);
  expect(gate.wait(callerOf("kim"))).toBeLessThanOrEqual(0);
  expect(gate.wait(maya)).toBe(28_000);
});

test("does not shorten a wait for a later, shorter refusal", () => {
  const gate = aGate();
  gate.refuse(maya, 30);
  gate.refuse(maya, 1);
  expect(gate.wait(maya)).toBe(30_000);
  gate.refuseAll(five, 40);
  gate.refuse(lea, 1);
  expect(gate.wait(callerOf("kim"))).toBe(40_000);
});

test("waits a second without Retry-After and at most a minute with one", () => {
  const gate = aGate();
  gate.refuse(maya, undefined);
  expect(gate.wait(maya)).toBe(1_000);
  gate.refuse(maya, 86_400);
  expect(gate.wait(maya)).toBe(60_000);
});
