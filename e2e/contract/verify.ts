/**
 * Runs the tests of this folder against a channel, one after the other, then checks the histories of their
 * chats. Needs nothing but Node: `npm run verify` and `shop-chat-channel verify` call it.
 */
import { readdirSync } from "node:fs";
import { Api, running } from "./support/api.ts";
import { chatPlan, creationKey, type PlannedChat } from "./support/chats.ts";
import { Skip } from "./support/expect.ts";
import { History } from "./support/history.ts";
import { Lab } from "./support/lab.ts";
import { Breach, type Rule } from "./support/rules.ts";
import type { Chat, MessagePage } from "./support/shapes.ts";
import type { Code, OperationName } from "./support/specification.ts";
import type { Target } from "./support/target.ts";
import { agent, type ContractTest, choice, type Fixtures, lab, sandbox, testsOf } from "./support/test.ts";

export interface Result {
  title: string;
  file: string;
  rules: readonly Rule[];
  outcome: "passed" | "skipped" | "failed";
  /** Why the test was skipped or has failed. */
  reason: string;
  /** The rules that the channel breaks: the test's, or one that every response has to keep. */
  broken: readonly Rule[];
  operations: readonly OperationName[];
  codes: readonly Code[];
}

export interface Options {
  /** Parts of the paths of the files to run, such as `e2e/contract/files.spec.ts`; all by default. */
  files?: readonly string[];
  /** Runs only some tests, by their titles. */
  isChosen?: (title: string) => boolean;
  onResult?: (result: Result) => void;
}

const titleOfHistory = "stores what was sent, once and in its order";

/** All tests, or those of the named files. */
export async function allTests(files: readonly string[] = []): Promise<ContractTest[]> {
  const names = readdirSync(import.meta.dirname).filter((name) => /\.spec\.[jt]s$/.test(name));
  const isNamed = (name: string) => files.some((file) => `e2e/contract/${name}`.includes(file));
  const chosen = names.filter((name) => files.length === 0 || isNamed(name));
  const tests: ContractTest[] = [];
  for (const name of chosen.sort()) tests.push(...(await testsOf(new URL(name, import.meta.url))));
  return tests;
}

const isOfWords = ({ needs }: ContractTest) => needs.some((need) => need.startsWith(agent("")));

/** How many chats the tests create at most on a channel without a lab. */
export const mostChats = async () =>
  Object.keys(chatPlan).length + (await allTests()).filter(isOfWords).length;

export async function verify(target: Target, options: Options = {}): Promise<Result[]> {
  const { files, isChosen = () => true, onResult } = options;
  const tests = (await allTests(files)).filter(({ title }) => isChosen(title));
  // A run without a test would pass by mistake.
  if (tests.length === 0) throw new Error("There is no such test.");
  const history = new History();
  const api = new Api(target, history);
  const chats = new Map<PlannedChat, Chat>();
  const switches =
    target.teamKey === undefined
      ? undefined
      : new Lab({ channelUrl: target.base.origin, teamKey: target.teamKey });
  await switches?.reset();
  const planned = async (name: PlannedChat) => {
    const known = chats.get(name) ?? (await api.plannedChat(creationKey(name)));
    chats.set(name, known);
    return known;
  };
  let words: Promise<string> | undefined;
  /** The agent's answer to "help": a line for each word that it knows. */
  const help = async () => {
    const { reply } = await api.sendMessage((await planned("help")).id, { text: "help" });
    return `\n${reply?.text ?? ""}`;
  };

  /** The fixtures of a test. @throws Skip if the channel lacks what the test needs */
  async function fixturesOf({ needs }: ContractTest): Promise<Fixtures> {
    const { live } = target;
    if (live && needs.includes(choice))
      throw new Skip("our decision where the specification leaves a choice");
    if (live && needs.includes(sandbox)) throw new Skip("needs the sandbox agent");
    if (needs.includes(lab) && switches === undefined) throw new Skip("this channel has no lab");
    const asked = needs.flatMap((need) => (need.startsWith(agent("")) ? need.slice(agent("").length) : []));
    if (asked.length > 0) {
      words ??= help();
      const known = await words;
      const missing = asked.find((word) => !known.includes(`\n${word}: `));
      if (missing !== undefined) throw new Skip(`its agent does not know the word "${missing}"`);
    }
    const fixtures = { api, target, planned, sharedChatId: (await planned("reading")).id };
    const ofLab = needs.includes(lab) && switches !== undefined ? { lab: switches } : {};
    if (!needs.includes(lab) && asked.length === 0) return fixtures as Fixtures;
    const freshChat = await api.createChat();
    return { ...fixtures, ...ofLab, freshChat, chatId: freshChat.id } as Fixtures;
  }

  const results: Result[] = [];
  async function record(
    { title, file, rules }: Pick<ContractTest, "title" | "file" | "rules">,
    run: () => Promise<unknown>,
  ): Promise<void> {
    const seen = { operations: new Set<OperationName>(), codes: new Set<Code>() };
    const result = { title, file, rules, outcome: "passed" as Result["outcome"], reason: "" };
    let broken: readonly Rule[] = [];
    try {
      await running.run(seen, run);
    } catch (error) {
      result.outcome = error instanceof Skip ? "skipped" : "failed";
      result.reason = error instanceof Error ? error.message : String(error);
      if (result.outcome === "failed") broken = error instanceof Breach ? [error.rule] : rules;
    }
    const full = { ...result, broken, operations: [...seen.operations], codes: [...seen.codes] };
    results.push(full);
    onResult?.(full);
  }

  // A live agent may take minutes for each reply.
  const longest = target.live ? 15 * 60_000 : 120_000;
  for (const each of tests) {
    let fixtures: Fixtures | undefined;
    await record(each, async () => {
      fixtures = await running.exit(() => fixturesOf(each));
      await within(longest, each.run(fixtures));
    });
    if (fixtures?.lab !== undefined) await switches?.reset();
  }
  const rules = ["idempotency.once", "send.turn", "list.pages"] as const;
  await record({ title: titleOfHistory, file: "history", rules }, () =>
    history.check({
      chat: async (chatId) => {
        const response = await api.call("getChat", { chatId });
        return response.status === 200 ? (JSON.parse(response.text).item as Chat) : undefined;
      },
      page: (chatId, cursor): Promise<MessagePage> =>
        api.listMessages(chatId, `?limit=50${cursor === null ? "" : `&cursor=${cursor}`}`),
    }),
  );
  return results;
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`took more than ${milliseconds / 1_000} s`)), milliseconds);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
