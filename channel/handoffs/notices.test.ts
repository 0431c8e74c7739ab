import { expect, test } from "vitest";
import { type Notice, noticeText } from "./notices.ts";

const notices = [
  "waiting",
  "joined",
  "left",
  "returned",
  "resolved",
  "failed",
  "detailsReceived",
] satisfies Notice[];

test("every notice exists in every language", () => {
  const texts = ["en", "de", "fr", "ar", "ja"].flatMap((locale) =>
    notices.map((notice) => noticeText(notice, locale)),
  );
  expect(new Set(texts).size).toBe(texts.length);
});

test("a notice about a teammate names them", () => {
  for (const locale of ["en", "de", "fr", "ar", "ja"])
    expect(noticeText("joined", locale, "ليلى")).toContain("ليلى");
});

test("a notice that begins with an Arabic name has the direction of its language", () => {
  for (const locale of ["en", "de", "fr", "ja"])
    expect(noticeText("left", locale, "🔧 ليلى")).toMatch(/^\u200E/);
  expect(noticeText("joined", "ar", "ليلى")).toMatch(/^انضم/);
  expect(noticeText("joined", "en", "Zoë")).toMatch(/^Zoë/);
});

test("regions use their language; unknown languages use English", () => {
  expect(noticeText("resolved", "DE-ch")).toBe(noticeText("resolved", "de"));
  for (const locale of ["tlh", "constructor", ""])
    expect(noticeText("resolved", locale)).toBe(noticeText("resolved", "en"));
});
