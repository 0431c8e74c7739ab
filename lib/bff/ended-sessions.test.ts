import { expect, test } from "vitest";
import { createEndedSessions } from "./ended-sessions.ts";
import { newGuestUserId, userIdOfCustomer } from "./identity.ts";
import type { Session } from "./session.ts";

const bounds = { endedGuestSessions: 5, endedCustomers: 3, endedSessionsPerCustomer: 2 };

let seals = 0;
function aSession(userId: string): Session {
  seals += 1;
  return { userId, seal: `seal-${seals}`, expiresAt: Number.POSITIVE_INFINITY };
}
const aGuest = () => aSession(newGuestUserId());
const maya = () => aSession(userIdOfCustomer("maya-okafor"));
const lukas = () => aSession(userIdOfCustomer("lukas-brandt"));

test("a session that ended is over; the customer's others, and those of others, are not", () => {
  const ended = createEndedSessions();
  const [gone, other] = [maya(), maya()];
  ended.add(gone);
  expect([gone, other, lukas(), aGuest()].map(ended.has)).toEqual([true, false, false, false]);
});

test("however many guests end their sessions, no customer's is forgotten, and nobody pushes out another's", () => {
  const ended = createEndedSessions(bounds);
  const [hers, his, guest] = [maya(), lukas(), aGuest()];
  for (const session of [hers, his, guest]) ended.add(session);
  for (let count = 0; count < 100; count += 1) ended.add(aGuest());
  expect(ended.has(guest)).toBe(false);
  for (let count = 0; count < 100; count += 1) ended.add(lukas());
  expect([hers, his].map(ended.has)).toEqual([true, false]);
});

test("a copy that somebody tries is not forgotten before those that nobody does", () => {
  const ended = createEndedSessions(bounds);
  const [tried, untried] = [aGuest(), aGuest()];
  ended.add(tried);
  ended.add(untried);
  for (let count = 0; count < 2 * bounds.endedGuestSessions; count += 1) {
    expect(ended.has(tried)).toBe(true);
    ended.add(aGuest());
  }
  expect(ended.has(untried)).toBe(false);
});
