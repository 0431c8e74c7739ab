import { createElement } from "react";
import { expect, test } from "vitest";
import type { File } from "../../../lib/chat-api/message.ts";
import { type FailureCode, failure } from "../../../lib/engine/failure.ts";
import { aConversation, aFile, aRecord } from "../../../lib/engine/testing/builders.ts";
import { chatWith, rendered, testChat } from "../testing/rendered.ts";
import { NoteRow } from "./pending-row.tsx";

function note(
  code: FailureCode,
  { files = [], isAnswerCutOff = false, context = testChat }: NoteOptions = {},
): string {
  const delivery = { state: "refused", failure: failure(code) } as const;
  const pending = { record: aRecord({ files }), delivery };
  const keys = [pending.record.key];
  const row = {
    kind: "note",
    id: "row-1",
    pending,
    keys,
    isListed: false,
    isAnswerCutOff,
    isClosed: false,
  } as const;
  return rendered(createElement(NoteRow, { row }), context);
}

interface NoteOptions {
  files?: File[];
  isAnswerCutOff?: boolean;
  context?: typeof testChat;
}

test("blames a file only in a message that has one", () => {
  expect(note("file_not_found", { files: [aFile()] })).toContain("Attach again");
  expect(note("file_not_ready", { files: [aFile()] })).toContain("The file is not ready yet.");
  for (const code of ["file_not_found", "file_not_ready"] as const) {
    expect(note(code)).toContain("This could not be sent.");
    expect(note(code)).not.toMatch(/Attach|The file/);
  }
});

test("says that the answer broke off only below the beginning of one", () => {
  expect(note("operation_interrupted")).toContain("No answer has come yet.");
  expect(note("operation_interrupted", { isAnswerCutOff: true })).toMatch(
    /The answer broke off\..*Ask again/s,
  );
  expect(note("rate_limited", { isAnswerCutOff: true })).not.toContain("broke off");
});

test("only marks the message while the chat's own note says the same", () => {
  const history = { state: "failed", failure: failure("chat_unavailable"), retryAt: 0 } as const;
  const conversation = aConversation({ history: { ...aConversation().history, ...history } });
  const context = chatWith({ conversation });
  expect(note("channel_disabled", { context })).toMatch(/Not sent.*Edit.*Remove/s);
  expect(note("channel_disabled", { context })).not.toContain("The chat is not available");
  expect(note("rate_limited", { context })).toContain("You are sending too fast.");
  expect(note("channel_disabled")).toContain("The chat is not available right now.");
});
