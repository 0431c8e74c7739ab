import { expect, test } from "vitest";
import { createSlots, type SlotHolder } from "./slots.ts";

/** The hosts of a site differ, as in one IPv6 /48 prefix, whose slots count together. */
const holder = (session: string, site?: string): SlotHolder => ({
  session: { id: session, userId: "guest-12345", customer: null },
  address:
    site === undefined ? undefined : { host: `${site}:${session}`, site, network: site, isShared: false },
});
const refusal = { code: "rate_limited", retryAfterSeconds: 2 };

test("limits slots per session, per address and in total", () => {
  const slots = createSlots({ count: 5, perSession: 2, retryAfterSeconds: 2 });
  const take = (session: string, site?: string) => slots.take(holder(session, site));
  take("one", "2001:db8:1");
  take("one", "2001:db8:1");
  expect(() => take("one", "2001:db8:2")).toThrow(expect.objectContaining(refusal));
  take("two", "2001:db8:1");
  // Half of five, rounded up.
  expect(() => take("three", "2001:db8:1")).toThrow(expect.objectContaining(refusal));
  take("three");
  take("four", "2001:db8:2");
  expect(() => take("five", "2001:db8:3")).toThrow(expect.objectContaining(refusal));
  expect(slots.size()).toBe(5);
});

test("keeps the last quarter of the slots for networks that hold few", () => {
  const slots = createSlots({ count: 100, perSession: 1, retryAfterSeconds: 2 });
  const take = (at: number, site: string) => slots.take(holder(`${site} ${at}`, site));
  for (let at = 0; at < 75; at += 1) take(at, `busy ${at % 2}`);
  expect(() => take(75, "busy 0")).toThrow(expect.objectContaining(refusal));
  for (let network = 0; network < 25; network += 1) {
    take(0, `quiet ${network}`);
    if (network < 24) expect(() => take(1, `quiet ${network}`)).toThrow(expect.objectContaining(refusal));
  }
  expect(slots.size()).toBe(100);
});

test("frees a slot once, and none for a refused caller", () => {
  const slots = createSlots({ count: 2, perSession: 1, retryAfterSeconds: 2 });
  const slot = slots.take(holder("one", "2001:db8:1"));
  expect(() => slots.take(holder("one", "2001:db8:1"))).toThrow(expect.objectContaining(refusal));
  const other = slots.take(holder("two", "2001:db8:2"));
  slot.release();
  slot.release();
  expect(slots.size()).toBe(1);
  slots.take(holder("three", "2001:db8:1"));
  expect(() => slots.take(holder("four", "2001:db8:3"))).toThrow(expect.objectContaining(refusal));
  other.release();
  expect(slots.size()).toBe(1);
});

test("counts a departed caller for its address and the process, not for its session", () => {
  const slots = createSlots({ count: 4, perSession: 1, retryAfterSeconds: 2 });
  const first = slots.take(holder("one", "2001:db8:1"));
  first.leave();
  const second = slots.take(holder("one", "2001:db8:1"));
  expect(slots.size()).toBe(2);
  expect(() => slots.take(holder("two", "2001:db8:1"))).toThrow(expect.objectContaining(refusal));
  first.release();
  // The second caller now holds the session's only slot.
  expect(() => slots.take(holder("one", "2001:db8:1"))).toThrow(expect.objectContaining(refusal));
  second.leave();
  second.release();
  expect(slots.size()).toBe(0);
  slots.take(holder("one", "2001:db8:1"));
});
