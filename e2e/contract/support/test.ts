/**
 * Declares tests. They run in any process, by `../verify.ts`. Each cites the rules that it checks
 * (`rules.ts`), and what it needs: `lab` the channel's test switches, `agent(word)` an agent that answers the
 * word as the sandbox agent does, and `choice` a channel that decides as ours where the specification leaves
 * a choice. Others are skipped with the reason. Comments in quotation marks are sentences of the
 * specification.
 */
import { type Api, errorOf } from "./api.ts";
import type { PlannedChat } from "./chats.ts";
import { expect, skip } from "./expect.ts";
import type { WholeResponse } from "./http.ts";
import type { Lab } from "./lab.ts";
import type { Rule } from "./rules.ts";
import type { Chat } from "./shapes.ts";
import { type Code, statusOf } from "./specification.ts";
import type { Target } from "./target.ts";

export { expect, skip };

export const lab = "@lab";
export const choice = "@choice";
/** A word of the sandbox agent (channel/README.md). */
export type Word = "form" | "offer" | "offer email" | "offer form" | "question" | "fail" | "close";
export const agent = <W extends Word | "">(word: W) => `@agent:${word}` as const;
/** The sandbox agent itself, and not one that knows some of its words. */
export const sandbox = "@sandbox";

type Need = typeof lab | typeof choice | typeof sandbox | `@agent:${Word}`;

export interface Fixtures {
  api: Api;
  target: Target;
  /** The channel's test switches, reset after the test: for tests that need the lab. */
  lab: Lab;
  /** A chat of this test alone, for tests that need the lab or words. Others use `planned`. */
  freshChat: Chat;
  /** The ID of `freshChat`. */
  chatId: string;
  /** The ID of the shared chat that never gets a message. */
  sharedChatId: string;
  /** A shared chat, created on first use. */
  planned: (name: PlannedChat) => Promise<Chat>;
}

export interface ContractTest {
  title: string;
  file: string;
  rules: readonly Rule[];
  needs: readonly Need[];
  run: (fixtures: Fixtures) => Promise<void>;
}

const isNeed = (cited: Rule | Need): cited is Need => cited.startsWith("@");

let declared: ContractTest[] = [];

export function test(title: string, about: readonly (Rule | Need)[], run: ContractTest["run"]): void {
  const rules = about.filter((cited) => !isNeed(cited));
  declared.push({ title, file: "", rules, needs: about.filter(isNeed), run });
}

const files = new Map<string, readonly ContractTest[]>();

/** The tests that a file declares. */
export async function testsOf(url: URL): Promise<readonly ContractTest[]> {
  const known = files.get(url.href);
  if (known !== undefined) return known;
  declared = [];
  await import(url.href);
  const file = url.pathname.split("/").at(-1) ?? "";
  const tests = declared.map((each) => ({ ...each, file }));
  files.set(url.href, tests);
  return tests;
}

/** A part of a test, which its failure names. */
export async function step(title: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Error) error.message = `${title}: ${error.message}`;
    throw error;
  }
}

interface Expected {
  api: Api;
  /** The pointer that our own channel returns in `field`. */
  at?: string;
  /**
   * Further codes that a live channel may answer, where the specification names several for the fault, or the
   * request has a second fault and the order of the checks is open.
   */
  orLive?: readonly Code[];
}

/** Expects one of these errors with its status. */
export function expectError(
  response: WholeResponse,
  code: Code | readonly Code[],
  expected?: Expected,
): void {
  const isExact = expected?.api.exact === true;
  const codes = [code, isExact ? [] : (expected?.orLive ?? [])].flat();
  expect(response.status, response.text).toBeGreaterThanOrEqual(400);
  const error = errorOf(response);
  expect(codes, response.text).toContain(error.code);
  expect(response.status).toBe(statusOf(error.code));
  if (isExact && expected.at !== undefined) expect(error.field, response.text).toBe(expected.at);
}
