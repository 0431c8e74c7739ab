import { createElement } from "react";
import { expect, test } from "vitest";
import { type FailureCode, failure } from "../../../lib/engine/failure.ts";
import type { Upload } from "../../../lib/engine/state/state.ts";
import { rendered } from "../testing/rendered.ts";
import { AttachmentChip } from "./chips.tsx";

const chipOf = (upload: Upload) =>
  rendered(
    createElement(AttachmentChip, { attachment: { kind: "upload", upload }, onChoose: () => undefined }),
  );

test("says why an upload waits, in place of its progress", () => {
  const state = { state: "uploading", waiting: failure("service_unavailable") } as const;
  const upload = { key: "upload-1", file: new File(["x"], "a.txt"), progress: 0, state };
  const chip = chipOf(upload);
  expect(chip).toContain("Reconnecting. Trying again");
  expect(chip).not.toContain("<progress");
});

test("offers to choose another file instead of editing a refused one", () => {
  const chip = (code: FailureCode) => {
    const state = { state: "failed", failure: failure(code) } as const;
    const upload = { key: "upload-1", file: new File(["x"], "a.txt"), progress: 0, state };
    return chipOf(upload);
  };
  expect(chip("invalid_request")).toContain("This could not be sent.");
  expect(chip("payload_too_large")).toContain("This is too large to be sent.");
  for (const code of ["invalid_request", "payload_too_large"] as const)
    expect(chip(code)).toContain("Choose another file");
});
