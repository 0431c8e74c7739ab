/** Whether the contract tests find faults, before the model as a foreign Chat API. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { freePort } from "../../processes/free-port.ts";
import { countsOf, reportOf } from "../contract/report.ts";
import { type Rule, rules } from "../contract/support/rules.ts";
import { codes } from "../contract/support/specification.ts";
import { allTests, type Options, type Result, verify } from "../contract/verify.ts";
import { faults } from "./contract-faults.ts";

const program = new URL("./serve-model.ts", import.meta.url).pathname;

interface Model {
  url: string;
  channelKey: string;
  chatKey: string;
}

async function withModel<T>(args: readonly string[], use: (model: Model) => Promise<T>): Promise<T> {
  const served = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface(served.stdout), "line");
    return await use(JSON.parse(line));
  } finally {
    served.kill();
  }
}

const verifyModel = (args: readonly string[], options: Options = {}): Promise<Result[]> =>
  withModel(args, ({ url, channelKey, chatKey }) =>
    verify({ base: new URL(url), channelKey, chatKey, live: true, teamKey: undefined }, options),
  );

/** Returns the output of `shop-chat-channel verify`, and its exit code. */
async function runCommand(
  options: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; said: string }> {
  const command = new URL("../../scripts/channel-command.ts", import.meta.url).pathname;
  const ran = spawn(process.execPath, [command, "verify", ...options], { env: { NODE_ENV: "test", ...env } });
  const [output, errors, [code]] = await Promise.all([
    text(ran.stdout),
    text(ran.stderr),
    once(ran, "close"),
  ]);
  return { code, said: output + errors };
}

const failuresIn = (results: readonly Result[]) =>
  results.filter(({ outcome }) => outcome === "failed").map(({ title, reason }) => `${title}: ${reason}`);

test("finds no fault in a Chat API that was written from the specification alone", async () => {
  const results = await verifyModel([]);
  expect(failuresIn(results)).toEqual([]);
  expect(countsOf(results).passed).toBeGreaterThan(300);
  const broken = reportOf(results).rules.filter(({ failed }) => failed > 0);
  expect(broken).toEqual([]);
});

// Sends 80 MiB, and finds none of these faults.
const isChosen = (title: string) => !title.includes("80 MiB");

test.each(Object.entries(faults))("finds the fault that %s", async (name, { breaks }) => {
  const results = await verifyModel(["--fault", name], { isChosen });
  const broken = results.flatMap((result) => result.broken);
  expect([...new Set(broken)], failuresIn(results).join("\n")).toContain(breaks);
});

test("cites each rule of the specification in a test, and no test without a rule", async () => {
  const tests = await allTests();
  const cited = new Set(tests.flatMap((each) => each.rules));
  expect((Object.keys(rules) as Rule[]).filter((rule) => !cited.has(rule))).toEqual([]);
  expect(tests.filter((each) => each.rules.length === 0)).toEqual([]);
});

test("expects each code of the specification in a test", () => {
  const specs = globSync(`${import.meta.dirname}/../contract/*.spec.ts`);
  const source = specs.map((file) => readFileSync(file, "utf8")).join("");
  expect(codes.filter((code) => !source.includes(`"${code}"`))).toEqual([]);
});

test("says why nothing could be tested, instead of finding every rule broken", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const keys = ["--channel", "dep_nobody", "--key", "ck_wrong"];
  const unreachable = await runCommand(["--url", url, ...keys]);
  expect(unreachable).toEqual({ code: 2, said: expect.stringMatching(`^${url} does not answer: .*REFUSED`) });
  const withoutScheme = await runCommand(["--url", "localhost:2428", ...keys]);
  expect(withoutScheme).toEqual({
    code: 2,
    said: expect.stringContaining("Give the address of the Chat API"),
  });
  const malformed = await runCommand(["--url", `${url}/v1/channels/demo`, "--key", "ck_wrong"]);
  expect(malformed).toEqual({ code: 2, said: expect.stringContaining("Give the channel's address") });
  await withModel([], async (model) => {
    const wrongKey = await runCommand([
      "--url",
      model.url,
      "--channel",
      model.channelKey,
      "--key",
      "ck_wrong",
    ]);
    expect(wrongKey).toEqual({ code: 2, said: expect.stringContaining("invalid_api_key") });
    const key = ["--channel", model.channelKey, "--key", model.chatKey];
    const title = "gives every response a unique request ID, errors included";
    const right = await runCommand(["--url", model.url, ...key, "--only", title]);
    expect(right).toEqual({ code: 0, said: expect.stringContaining("2 passed, 0 skipped, 0 failed") });
  });
});

test("sends the team key of the environment to no channel of others", async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(404).end();
  });
  // Not one of the names of this machine that the command knows.
  await once(server.listen(0, "127.0.0.2"), "listening");
  const { port } = server.address() as AddressInfo;
  const options = [
    "--url",
    `http://127.0.0.2:${port}`,
    "--channel",
    "dep_of_others",
    "--key",
    "ck_theirs",
    "--yes",
  ];
  const env = { CHANNEL_TEAM_KEY: "tk_ours" };
  const none = ["--only", "a title that no test has"];
  await runCommand([...options, ...none], env);
  expect(seen).toEqual(["Bearer ck_theirs"]);
  await runCommand([...options, ...none, "--exact"], env);
  expect(seen.slice(1)).toEqual(["Bearer ck_theirs", "Bearer tk_ours"]);
  await once(server.close(), "close");
});
