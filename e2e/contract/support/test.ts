/**
 * The tests' fixtures. `@lab` tests need the channel's own switches, `@agent` tests our agent's words, `@choice` tests
 * hold our channel to a decision that the specification leaves open; a live channel is spared all three.
 */
import { test as base, expect } from "@playwright/test";
import { Api, errorOf, itemOf } from "./api.ts";
import { creationKey, type PlannedChat } from "./chats.ts";
import type { Answer } from "./http.ts";
import { Lab } from "./lab.ts";
import type { Chat } from "./shapes.ts";
import { type Code, errorStatus } from "./specification.ts";
import { findTarget, type Target } from "./target.ts";

export { expect };

export const lab = { tag: "@lab" } as const;
export const agent = { tag: "@agent" } as const;
export const choice = { tag: "@choice" } as const;

interface Fixtures {
  patience: undefined;
  /** The channel's switches, back in place after the test. The test is skipped where there are none. */
  lab: Lab;
  /** A chat of this test alone. Only with a lab: see `planned` for the others. */
  freshChat: Chat;
}

interface WorkerFixtures {
  target: Target;
  api: Api;
  /** A chat that tests share, created at its first use. */
  planned: (name: PlannedChat) => Promise<Chat>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  target: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
    async ({}, use) => {
      const target = await findTarget();
      if (target.teamKey !== undefined) await new Lab(target, target.teamKey).reset();
      await use(target);
      await target.stop();
    },
    { scope: "worker", timeout: 150_000 },
  ],

  api: [async ({ target }, use) => use(new Api(target)), { scope: "worker" }],

  planned: [
    async ({ api }, use) => {
      const chats = new Map<PlannedChat, Chat>();
      await use(async (name) => {
        const known = chats.get(name);
        if (known !== undefined) return known;
        let answer = await api.call("createChat", { json: {}, key: creationKey(name) });
        // On a named channel whose clock the lab has moved on.
        if (answer.status === 409) answer = await api.call("createChat", { json: {} });
        const chat = itemOf<Chat>(answer, answer.status === 200 ? 200 : 201);
        chats.set(name, chat);
        return chat;
      });
    },
    { scope: "worker" },
  ],

  patience: [
    async ({ target }, use, testInfo) => {
      // Several replies of a live agent, each of which may take minutes.
      if (target.live) testInfo.setTimeout(15 * 60_000);
      await use(undefined);
    },
    { auto: true },
  ],

  lab: async ({ target }, use, testInfo) => {
    const { teamKey } = target;
    if (teamKey === undefined) {
      testInfo.skip(true, "no lab answers at this channel (CHANNEL_LAB=1 and CHANNEL_TEAM_KEY)");
      return;
    }
    if (target.shared && testInfo.config.workers > 1) {
      testInfo.skip(true, "the lab's switches are the whole channel's: run with --workers=1");
      return;
    }
    const switches = new Lab(target, teamKey);
    await use(switches);
    await switches.reset();
  },

  freshChat: async ({ lab: _needed, api }, use) => use(await api.createChat()),
});

/** The answer is this error, with its status; `field`, where given, points at the fault on our own channel. */
export function expectError(
  answer: Answer,
  code: Code | readonly Code[],
  field?: { api: Api; at: string },
): void {
  const codes = typeof code === "string" ? [code] : code;
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
  const error = errorOf(answer);
  expect(codes, answer.text).toContain(error.code);
  expect(answer.status).toBe(errorStatus[error.code]);
  if (field?.api.exact === true) expect(error.field, answer.text).toBe(field.at);
}
