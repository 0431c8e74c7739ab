import { expect, test } from "vitest";
import { failure } from "../failure.ts";
import { aChat, aConversation, aPending } from "../testing/builders.ts";
import { pollInterval } from "./polling.ts";

const withTeam = { chat: aChat({ mode: "waiting" }) };
const closed = { chat: aChat({ mode: "resolved" }) };
const lost = { syncFailure: failure("connection_lost") };

test.each([
  ["a visible chat with the agent", {}, true, 30_000],
  ["a visible chat with the team", withTeam, true, 2_000],
  ["a hidden chat with the agent", {}, false, 300_000],
  ["a hidden chat with the team", withTeam, false, 20_000],
  ["a closed chat", closed, true, 0],
  ["a closed chat after a failed poll", { ...closed, ...lost }, true, 2_000],
  ["a deleted chat", { ...withTeam, syncFailure: failure("chat_not_found") }, true, 0],
  ["a chat after a failed poll", { ...withTeam, ...lost }, true, 2_000],
  ["a chat during a turn", { pending: [aPending({ state: "sending" })] }, true, 0],
])("%s is polled at its interval", (_, state, isVisible, interval) => {
  expect(pollInterval(aConversation(state), isVisible)).toBe(interval);
});
