import { createElement } from "react";
import { expect, test, vi } from "vitest";
import type { Handoff } from "../../../lib/chat-api/chat.ts";
import { aHandoff } from "../../../lib/chat-api/testing/builders.ts";
import { aChat } from "../../../lib/engine/testing/builders.ts";
import { rendered, testChat } from "../testing/rendered.ts";
import { WaitingBanner } from "./waiting-banner.tsx";

/** The banner at ten minutes past noon in London. */
function banner(handoff: Partial<Handoff>, mode: "waiting" | "agent" | "teammate" = "waiting"): string {
  vi.useFakeTimers({ now: new Date("2026-06-02T11:10:00.000Z") });
  const requestedAt = "2026-06-02T11:09:00.000Z";
  const chat = aChat({ mode, handoff: aHandoff({ requestedAt, ...handoff }) });
  return rendered(createElement(WaitingBanner, { chat }));
}

const { waiting, waitingLong, failedHelp } = testChat.t.handoff;

test("says since when the customer waits, and after five minutes that they may leave", () => {
  expect(banner({})).toContain("12:09");
  expect(banner({})).toContain(waiting);
  expect(banner({ requestedAt: "2026-06-02T11:05:00.000Z" })).toContain(waitingLong);
  expect(banner({ requestedAt: "2026-06-01T11:05:00.000Z" })).toContain("1 June 2026");
});

test("offers to ask again and shows the shop's number after a failed request", () => {
  const html = banner({ status: "failed" }, "agent");
  expect(html).toContain(failedHelp);
  expect(html).toMatch(/<button.*tel:/s);
});

test("is silent once a teammate answers", () => {
  expect(banner({ status: "claimed" }, "teammate")).toBe("");
});
