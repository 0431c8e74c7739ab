import { expect, test } from "vitest";
import { type Notice, noticeText } from "./notices.ts";

const notices: Notice[] = [
  { kind: "waiting" },
  { kind: "joined", name: "Zoë" },
  { kind: "returned", name: "Zoë" },
  { kind: "returned", name: null },
  { kind: "resolved" },
  { kind: "failed" },
  { kind: "details_received" },
];

test("every notice exists in every language", () => {
  const texts = ["en", "de", "fr", "ar", "ja"].flatMap((locale) =>
    notices.map((notice) => noticeText(notice, locale)),
  );
  expect(new Set(texts).size).toBe(texts.length);
});

test("a notice about a teammate names them", () => {
  for (const locale of ["en", "de", "fr", "ar", "ja"])
    expect(noticeText({ kind: "joined", name: "ليلى" }, locale)).toContain("ليلى");
});

test("regions use their language; unknown languages use English", () => {
  expect(noticeText({ kind: "resolved" }, "DE-ch")).toBe(noticeText({ kind: "resolved" }, "de"));
  for (const locale of ["tlh", "constructor", ""])
    expect(noticeText({ kind: "resolved" }, locale)).toBe(noticeText({ kind: "resolved" }, "en"));
});
