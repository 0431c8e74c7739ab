import { expect, test, vi } from "vitest";
import { anOffer } from "../../../lib/chat-api/testing/builders.ts";
import { createFormat } from "../format/format.ts";
import { testChat } from "../testing/rendered.ts";
import { teamReplies } from "./waiting-banner.tsx";

/** Tuesday 2 June, 13:00 in London. */
function says(offer: Partial<Parameters<typeof teamReplies>[0]>): string {
  vi.useFakeTimers({ now: new Date("2026-06-02T12:00:00.000Z") });
  const format = createFormat({ locale: "en-GB", timeZone: "Europe/London" });
  return teamReplies(anOffer(offer), { ...testChat, format });
}

test("says in one sentence who replies, from when and how", () => {
  expect(says({})).toBe("The team is here now.");
  expect(says({ requiresEmail: true })).toBe("The team replies here and by email.");
  expect(says({ timezone: null })).toBe("The team replies here as soon as someone is free.");
  expect(says({ nextAvailableAt: "2026-06-03T08:00:00.000Z" })).toBe(
    "The team replies here from tomorrow at 09:00.",
  );
  expect(says({ nextAvailableAt: "2026-06-08T08:00:00.000Z", requiresEmail: true })).toMatch(
    /^The team replies here and by email from Monday,? 8 June at 09:00\.$/,
  );
  expect(says({ nextAvailableAt: "2027-01-04T09:00:00.000Z" })).toMatch(
    /from Monday,? 4 January 2027 at 09:00\.$/,
  );
});

test("treats a past time as now and leaves out an invalid one", () => {
  expect(says({ nextAvailableAt: "2026-06-02T11:59:00.000Z" })).toBe("The team is here now.");
  expect(says({ nextAvailableAt: "soon" })).toBe("The team replies here as soon as someone is free.");
});

test("marks a time as the customer's if the shop is in another time zone", () => {
  const nextAvailableAt = "2026-06-03T00:00:00.000Z";
  expect(says({ nextAvailableAt, timezone: "Asia/Tokyo" })).toBe(
    "The team replies here from tomorrow at 01:00 (your time).",
  );
  expect(says({ nextAvailableAt, timezone: "Mars/X" })).toBe("The team replies here from tomorrow at 01:00.");
});
