import { expect, test } from "vitest";
import { ChatApiError } from "../../chat-api/errors.ts";
import { ChatConnectionError } from "../../chat-client/errors.ts";
import { type Attempt, type AttemptError, createRetryPolicy } from "../../chat-client/retry.ts";
import { withCircuit } from "./circuit.ts";

/** A circuit whose clock advances only on demand. */
function aCircuit() {
  let time = 0;
  const circuit = withCircuit(createRetryPolicy(), () => time);
  const attempt: Attempt = { operation: "getChat", streams: false, number: 1, signal: undefined };
  const failed = (error: AttemptError) => circuit.observe(attempt, error);
  return {
    circuit,
    attempt,
    failed,
    failTimes: (times: number, error: AttemptError) => {
      for (let count = 0; count < times; count += 1) failed(error);
    },
    succeeded: () => circuit.observe(attempt, undefined),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    /** The call's error code or system code, or "admitted". */
    ask(): string {
      try {
        circuit.admit(attempt);
        return "admitted";
      } catch (error) {
        if (error instanceof ChatApiError) return error.code;
        if (error instanceof ChatConnectionError) return String(error.systemCode);
        throw error;
      }
    },
  };
}

const refusal = new ChatConnectionError("getChat", "unreachable", "ECONNREFUSED");

test("opens after five failures in a row and lets a probe through every two seconds", async () => {
  const c = aCircuit();
  c.failTimes(4, refusal);
  expect(c.ask()).toBe("admitted");
  c.failed(refusal);
  expect(c.ask()).toBe("CIRCUIT_OPEN");
  c.pass(2_000);
  expect(c.ask()).toBe("admitted");
  expect(c.ask()).toBe("CIRCUIT_OPEN");
  c.pass(2_000);
  expect(c.ask()).toBe("admitted");
});

test("closes for everyone after one success", async () => {
  const c = aCircuit();
  c.failTimes(5, refusal);
  c.pass(2_000);
  c.ask();
  c.succeeded();
  expect(c.ask()).toBe("admitted");
  c.failTimes(4, refusal);
  expect(c.ask()).toBe("admitted");
});

test("counts other error responses as signs that the Chat API is up", async () => {
  const c = aCircuit();
  c.failTimes(4, refusal);
  c.failed(new ChatApiError("chat_not_found"));
  c.failed(refusal);
  expect(c.ask()).toBe("admitted");
});

test("opens after repeated service_unavailable, not after broken streams", async () => {
  const c = aCircuit();
  c.failTimes(9, new ChatConnectionError("sendMessage", "cut"));
  expect(c.ask()).toBe("admitted");
  c.failTimes(4, new ChatApiError("service_unavailable", { retryAfterSeconds: 1 }));
  c.failTimes(1, new ChatApiError("upstream_unreachable"));
  expect(c.ask()).toBe("CIRCUIT_OPEN");
});

test("probes every 30 s after invalid_api_key and answers other calls with it", async () => {
  const c = aCircuit();
  c.failed(new ChatApiError("invalid_api_key"));
  expect(c.ask()).toBe("invalid_api_key");
  c.pass(29_999);
  expect(c.ask()).toBe("invalid_api_key");
  c.pass(1);
  expect(c.ask()).toBe("admitted");
  expect(c.ask()).toBe("invalid_api_key");
});

test("limits retries to a burst, one a second and one per ten requests", async () => {
  const c = aCircuit();
  const delay = () =>
    c.circuit.delay({ ...c.attempt, error: refusal, repeats: 0, elapsed: 0, random: () => 0.5 });
  for (let count = 0; count < 10; count += 1) expect(delay()).toBe(150);
  expect(delay()).toBeNull();
  c.pass(1_000);
  expect(delay()).toBe(150);
  expect(delay()).toBeNull();
  for (let count = 0; count < 10; count += 1) c.ask();
  expect(delay()).toBe(150);
  expect(delay()).toBeNull();
  // A retry earns no further retries.
  for (let count = 0; count < 10; count += 1) c.circuit.admit({ ...c.attempt, number: 2 });
  expect(delay()).toBeNull();
});
