/** Planning in a worker thread: a turn that blocks or ends the thread fails alone. */
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { aTurn } from "../testing/turns.ts";
import { openPlanThread } from "./plan-thread.ts";

const shopOrigin = "https://shop.example";

/** Echoes the message; some messages block the thread, exhaust its memory or end it. */
const program = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", ({ trigger: { message: { text } } }) => {
    if (text === "block") for (;;);
    if (text === "grow") for (const all = []; ; ) all.push(new Array(1e5).fill(0.5 + all.length));
    if (text === "exit") process.exit(1);
    if (text === "last") setTimeout(() => process.exit(1));
    if (text === "fail") throw new Error("no words");
    parentPort.postMessage({ language: "en", answer: { text } });
  });
  parentPort.postMessage("ready");
`)}`,
);

async function textOf(planned: Promise<{ answer: { text: string } }>): Promise<string> {
  return (await planned).answer.text;
}

test("plans an answer in the thread", async () => {
  const plan = await openPlanThread({ shopOrigin, deadline: 60_000 });
  const { answer, language } = await plan(aTurn("Do you deliver to Ireland?"));
  expect(answer.text).toMatch(/^Yes, we deliver to every county of Ireland\./);
  expect([language, answer.citations?.[0]?.title]).toEqual(["en", "Delivery: Ireland"]);
});

test.each([
  ["block", 1_000],
  ["grow", 15_000],
  ["exit", 1_000],
])(
  "rejects a turn that makes the thread %s, and answers the turns around it",
  async (text, deadline) => {
    const plan = await openPlanThread({ shopOrigin, deadline, program });
    const before = plan(aTurn("before"));
    const stuck = plan(aTurn(text));
    const after = [plan(aTurn("one")), plan(aTurn("two"))];
    expect(await textOf(before)).toBe("before");
    await expect(stuck).rejects.toThrow("no answer was planned");
    expect(await Promise.all(after.map(textOf))).toEqual(["one", "two"]);
  },
  30_000,
);

test("answers the next turn after the thread has ended between two turns", async () => {
  const created = Promise.withResolvers<Worker>();
  process.once("worker", created.resolve);
  const plan = await openPlanThread({ shopOrigin, deadline: 60_000, program });
  const worker = await created.promise;
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  expect(await textOf(plan(aTurn("last")))).toBe("last");
  await ended;
  expect(await textOf(plan(aTurn("one")))).toBe("one");
});

test("a planning failure rejects its own turn only", async () => {
  const plan = await openPlanThread({ shopOrigin, program });
  await expect(plan(aTurn("fail"))).rejects.toThrow("no words");
  expect(await textOf(plan(aTurn("one")))).toBe("one");
});

test("rejects with the thread's error if the thread cannot start", async () => {
  const broken = new URL("data:text/javascript,throw new Error('no words')");
  await expect(openPlanThread({ shopOrigin, program: broken })).rejects.toThrow("no words");
});
