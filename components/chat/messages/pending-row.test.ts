import { createElement } from "react";
import { expect, test } from "vitest";
import { type FailureCode, failure } from "../../../lib/engine/failure.ts";
import type { Delivery } from "../../../lib/engine/state/state.ts";
import { aRecord } from "../../../lib/engine/testing/builders.ts";
import { rendered } from "../testing/rendered.ts";
import { PendingRow } from "./pending-row.tsx";

function waitingFor(code: FailureCode, { chatId = "chat-1", isBehindReply = false } = {}): string {
  const waiting = { state: "waiting", at: Date.now() + 30_000, failure: failure(code) } as const;
  const pending = { record: aRecord({ chatId: chatId || null }), delivery: waiting };
  const row = { kind: "pending", id: "row-1", pending, isBehindReply, startsGroup: true } as const;
  return rendered(createElement(PendingRow, { row }));
}

test("says why a message waits and how long in one element, which wraps as one text", () => {
  expect(waitingFor("rate_limited")).toContain("<span>Sending too fast. Trying again in 30 seconds</span>");
});

test("does not blame the connection while a message waits for a file", () => {
  expect(waitingFor("file_not_ready")).toContain("<span>Waiting for the file to be ready…</span>");
});

test("gives no time for a message behind the answer in progress", () => {
  expect(waitingFor("service_unavailable", { isBehindReply: true })).toContain(
    "<span>Waiting for the answer in progress…</span>",
  );
});

test("says when a new chat starts, and does not call its first message too fast", () => {
  expect(waitingFor("rate_limited", { chatId: "" })).toContain(
    "<span>One moment: starting your chat in 30 seconds</span>",
  );
});

test("offers to repeat a request at once after its outcome has been in doubt for eight seconds", () => {
  const shown = (seconds: number, state: "waiting" | "checking") => {
    const since = Date.now() - seconds * 1_000;
    const lost = { at: Date.now() + 4_000, failure: failure("connection_lost") };
    const delivery: Delivery = state === "waiting" ? { state, since, ...lost } : { state, since };
    const pending = { record: aRecord(), delivery };
    const row = { kind: "pending", id: "row-1", pending, isBehindReply: false, startsGroup: true } as const;
    return rendered(createElement(PendingRow, { row }));
  };
  expect(shown(7, "waiting")).not.toContain("Try again</button>");
  expect(shown(8, "waiting")).toContain("Try again</button>");
  expect(shown(8, "checking")).toMatch(/<button [^>]*aria-disabled="true"[^>]*>Try again/);
});
