import { createElement } from "react";
import { expect, test } from "vitest";
import { aReply } from "../../../lib/engine/testing/builders.ts";
import { rendered } from "../testing/rendered.ts";
import { ReplyRow, type ReplyRowProps } from "./reply-row.tsx";

const reply = aReply("key-1", { text: "To Ireland it takes" });
const row = (props: Partial<ReplyRowProps>) =>
  rendered(createElement(ReplyRow, { reply, progress: "writing", startsGroup: true, ...props }));

test("shows a stopped reply up to the stop, however much follows", () => {
  const html = row({ reply: { ...reply, stoppedAt: 10 } });
  expect(html).toContain(">To Ireland<");
  expect(html).toContain("Stopped. Wren will still finish");
  expect(row({})).toContain(">To Ireland it takes<");
});

test("a reply has `aria-busy` until it is cut off", () => {
  expect(row({})).toContain('aria-busy="true"');
  expect(row({ progress: "interrupted" })).toContain('aria-busy="true"');
  expect(row({ progress: "cut_off" })).toContain('aria-busy="false"');
});
