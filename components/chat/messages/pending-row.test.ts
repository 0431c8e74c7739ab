import { createElement } from "react";
import { expect, test } from "vitest";
import { type FailureCode, failure } from "../../../lib/engine/failure.ts";
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

test("offers to repeat a request at once while its outcome is in doubt eight seconds after the press", () => {
  const shown = (seconds: number, code: FailureCode | null = null, asked: number | null = null) => {
    const record = aRecord({ createdAt: Date.now() - seconds * 1_000 });
    const why = code && failure(code, { at: Date.now() - 1_000, retryAfterSeconds: asked });
    const waiting = why && ({ state: "waiting", at: Date.now() + 4_000, failure: why } as const);
    const pending = { record, delivery: waiting ?? ({ state: "checking" } as const) };
    const row = { kind: "pending", id: "row-1", pending, isBehindReply: false, startsGroup: true } as const;
    return rendered(createElement(PendingRow, { row }));
  };
  expect(shown(7, "connection_lost")).not.toContain("Try again</button>");
  expect(shown(8, "connection_lost")).toContain("Try again</button>");
  expect(shown(8, "rate_limited")).not.toContain("Try again</button>");
  const held = /<button [^>]*aria-disabled="true"[^>]*>Try again/;
  expect(shown(8)).toMatch(held);
  // As the chat server answers while the Chat API cannot be reached.
  for (const code of ["upstream_unreachable", "service_unavailable"] as const) {
    expect(shown(8, code, 2)).toMatch(held);
    expect(shown(8, code, 1)).toContain("Try again</button>");
    expect(shown(8, code, 1)).not.toMatch(held);
  }
});
