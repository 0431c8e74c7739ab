import { createElement } from "react";
import { expect, test } from "vitest";
import { failure } from "../../../lib/conversation/failure.ts";
import { aRecord } from "../../../lib/conversation/testing/builders.ts";
import { rendered } from "../testing/rendered.ts";
import { PendingRow } from "./pending-row.tsx";

test("says why a message waits and how long in one element, which wraps as one text", () => {
  const waiting = { state: "waiting", at: Date.now() + 30_000, failure: failure("rate_limited") } as const;
  const pending = { record: aRecord(), delivery: waiting };
  const row = { kind: "pending", id: "row-1", pending, isBehindReply: false, startsGroup: true } as const;
  const html = rendered(createElement(PendingRow, { row }));
  expect(html).toContain("<span>Sending too fast. Trying again in 30 seconds</span>");
});
