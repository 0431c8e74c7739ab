/**
 * Fixtures. `@lab` tests need the channel's test switches, `@sandbox` tests its own agent, and `@choice`
 * tests check our decisions where the specification leaves a choice. In front of a live channel they are
 * skipped with the reason. Comments in quotation marks are sentences of the specification.
 */
import { test as base, expect } from "@playwright/test";
import { Api, errorOf, itemOf } from "./api.ts";
import { creationKey, type PlannedChat } from "./chats.ts";
import type { WholeResponse } from "./http.ts";
import { Lab } from "./lab.ts";
import type { Chat } from "./shapes.ts";
import { type Code, statusOf } from "./specification.ts";
import { findTarget, type Target } from "./target.ts";

export { expect };

export const lab = { tag: "@lab" } as const;
export const sandbox = { tag: "@sandbox" } as const;
export const choice = { tag: "@choice" } as const;

interface Fixtures {
  /** Skips tests that do not apply to a live channel, and gives the others time. */
  applies: undefined;
  /** The channel's test switches, reset after the test. Skips the test without a lab. */
  lab: Lab;
  /** A chat of this test alone, which needs a lab. Other tests use `planned`. */
  freshChat: Chat;
  /** The ID of `freshChat`. */
  chatId: string;
  /** The ID of the shared chat that never gets a message. */
  sharedChatId: string;
}

interface WorkerFixtures {
  target: Target;
  api: Api;
  /** Prepares chats for tests. */
  setUp: Api;
  /** A shared chat, created on first use. */
  planned: (name: PlannedChat) => Promise<Chat>;
}

const labOf = ({ base, teamKey }: Target) =>
  teamKey === undefined ? undefined : new Lab({ channelUrl: base.origin, teamKey });

export const test = base.extend<Fixtures, WorkerFixtures>({
  target: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
    async ({}, use) => {
      const target = await findTarget();
      await labOf(target)?.reset();
      await use(target);
      await target.stop();
    },
    { scope: "worker", timeout: 150_000 },
  ],

  api: [async ({ target }, use) => use(new Api(target)), { scope: "worker" }],

  setUp: [async ({ target }, use) => use(new Api(target, { isSetUp: true })), { scope: "worker" }],

  planned: [
    async ({ setUp }, use) => {
      const chats = new Map<PlannedChat, Chat>();
      await use(async (name) => {
        const known = chats.get(name);
        if (known !== undefined) return known;
        let response = await setUp.call("createChat", { json: {}, key: creationKey(name) });
        // On a channel named by the environment, the lab may have advanced the clock past the key's lifetime.
        if (response.status === 409) response = await setUp.call("createChat", { json: {} });
        const chat = itemOf<Chat>(response, response.status === 200 ? 200 : 201);
        chats.set(name, chat);
        return chat;
      });
    },
    { scope: "worker" },
  ],

  applies: [
    async ({ target }, use, testInfo) => {
      if (target.live) {
        const { tags } = testInfo;
        testInfo.skip(tags.includes(choice.tag), "our decision where the specification leaves a choice");
        testInfo.skip(tags.includes(sandbox.tag), "needs the sandbox agent");
        // Each of a live agent's replies may take minutes.
        testInfo.setTimeout(15 * 60_000);
      }
      await use(undefined);
    },
    { auto: true },
  ],

  lab: async ({ target }, use, testInfo) => {
    const switches = labOf(target);
    if (switches === undefined) {
      testInfo.skip(true, "this channel has no lab (set CHANNEL_LAB=1 and CHANNEL_TEAM_KEY)");
      return;
    }
    if (target.shared && testInfo.config.workers > 1) {
      testInfo.skip(true, "the lab's switches affect the whole channel: run with --workers=1");
      return;
    }
    await use(switches);
    await switches.reset();
  },

  freshChat: async ({ lab: _needed, setUp }, use) => use(await setUp.createChat()),

  chatId: async ({ freshChat }, use) => use(freshChat.id),

  sharedChatId: async ({ planned }, use) => use((await planned("reading")).id),
});

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
