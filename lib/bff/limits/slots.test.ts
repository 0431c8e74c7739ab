import { expect, test } from "vitest";
import { createSlots, type SlotHolder } from "./slots.ts";

const holder = (session: string, host?: string): SlotHolder => ({
  session: { id: session, userId: "guest-12345", customer: null },
  address: host === undefined ? undefined : { host, isShared: false },
});
const refusal = { code: "rate_limited", retryAfterSeconds: 2 };

test("limits slots per session, per address and in total", () => {
  const slots = createSlots({ count: 5, perSession: 2 });
  const take = (session: string, host?: string) => slots.take(holder(session, host));
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

test("frees a slot once, and none for a refused caller", () => {
  const slots = createSlots({ count: 2, perSession: 1 });
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
  const slots = createSlots({ count: 4, perSession: 1 });
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
