import { createElement } from "react";
import { expect, test } from "vitest";
import type { File } from "../../../lib/chat-api/file.ts";
import { type FailureCode, failure } from "../../../lib/engine/failure.ts";
import { aFile, aRecord } from "../../../lib/engine/testing/builders.ts";
import { rendered } from "../testing/rendered.ts";
import { NoteRow } from "./note-row.tsx";

function note(code: FailureCode, { files = [], isAnswerCutOff = false }: NoteOptions = {}): string {
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
  return rendered(createElement(NoteRow, { row }));
}

interface NoteOptions {
  files?: File[];
  isAnswerCutOff?: boolean;
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
