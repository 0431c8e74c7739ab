import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { root } from "../../../processes/root.ts";
import { codeBlocks } from "../../../scripts/guide.ts";
import { listenLocally } from "../../../testing/local-server.ts";
import { hostilePeer, ownBff, signedIn } from "../testing/hostile-set-up.ts";
import { type CallCounts, createMemoryCounts, createSharedCounts } from "./call-counts.ts";

const { upstream, environment } = await hostilePeer();
const rate = { calls: 10, seconds: 60 };

test("counts a key's calls until its window ends, and takes calls back", () => {
  let now = 1_000;
  const counts = createMemoryCounts(() => now);
  expect([1, 1, -1, 1].map((by) => counts.count("one", rate, by === 1 ? 1 : -1))).toEqual([1, 2, 1, 2]);
  expect(counts.count("other", rate, 1)).toBe(1);
  now = 59_999;
  expect(counts.count("one", rate, 1)).toBe(3);
  // All windows of a length end together.
  now = 60_000;
  expect(counts.count("one", rate, 1)).toBe(1);
});

test("forgets the key that was counted least recently of a hundred thousand", () => {
  const counts = createMemoryCounts(() => 0);
  for (let key = 0; key < 100_000; key += 1) {
    counts.count(`key ${key}`, rate, 1);
    counts.count("total", rate, 1);
  }
  expect(counts.count("key 0", rate, 1)).toBe(1);
  expect(counts.count("key 99999", rate, 1)).toBe(2);
  expect(counts.count("total", rate, 1)).toBe(100_001);
});

test("counts in the store that a shop passes, which two BFFs share", async () => {
  upstream.createsChats();
  const rates = { send: { perSession: [{ calls: 1, seconds: 60 }], perAddress: [], total: [] } };
  const clock = () => 0;
  const counts = createMemoryCounts(clock);
  const statuses: number[] = [];
  for (const t of [1, 2].map(() => ownBff(environment, { counts, clock, limits: { rates } }))) {
    const maya = await signedIn(t, "maya");
    statuses.push((await maya.post("/api/chat/chats", {})).status);
  }
  expect(statuses).toEqual([201, 429]);
});

test("counts in Upstash's Redis as the guide shows", async () => {
  const counters = new Map<string, number>();
  const authorizations = new Set<string | undefined>();
  // Upstash's REST API: a list of commands, and a list of their results.
  const upstash = createServer(async (request, response) => {
    authorizations.add(request.headers.authorization);
    const commands: [string, string, number][] = JSON.parse(await text(request));
    const results = commands.map(([name, key, amount]) => {
      if (name === "INCRBY") counters.set(key, (counters.get(key) ?? 0) + amount);
      return { result: name === "INCRBY" ? counters.get(key) : 1 };
    });
    response.setHeader("content-type", "application/json").end(JSON.stringify(results));
  });
  onTestFinished(() => void upstash.close());
  vi.stubEnv("UPSTASH_REDIS_REST_URL", `http://127.0.0.1:${await listenLocally(upstash)}`);
  vi.stubEnv("UPSTASH_REDIS_REST_TOKEN", "a-token");
  onTestFinished(() => void vi.unstubAllEnvs());
  const guide = codeBlocks(readFileSync(join(root, "docs/integrate.md"), "utf8"));
  const block = guide.find(({ file }) => file === "lib/counts.ts")?.text ?? "";
  const code = block.replace(/^import .*$/m, "").replace(": CallCounts", "");
  const { counts } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const calls = [];
  for (const by of [1, 1, -1, 1]) calls.push(await counts.count("one", rate, by));
  expect(calls).toEqual([1, 2, 1, 2]);
  expect(await counts.count("other", rate, 1)).toBe(1);
  expect([...authorizations]).toEqual(["Bearer a-token"]);
});

test("counts per process while a store throws or returns no number", async () => {
  const failing: CallCounts["count"][] = [
    () => {
      throw new Error("broken");
    },
    () => Promise.reject(new Error("broken")),
    () => Number.NaN,
  ];
  for (const count of failing) {
    const t = ownBff(environment);
    const shared = createSharedCounts(
      { count },
      createMemoryCounts(() => 0),
      t.bff.log,
    );
    expect([await shared.count("one", rate, 1), await shared.count("one", rate, 1)]).toEqual([1, 2]);
    expect(t.lines.filter(({ event }) => event === "counts_unavailable")).toHaveLength(1);
  }
});
