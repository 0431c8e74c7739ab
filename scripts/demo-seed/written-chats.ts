/** Seeded chats that `chats.json` describes completely. */
import { userIdOfCustomer } from "#lib/bff/session/customer.ts";
import content from "./chats.json" with { type: "json" };
import { minutesBefore, type Seed } from "./seed.ts";

/** Names with an emoji and Arabic letters, for badges, headings and avatars. */
export const withTeam = seedOf("demo-with-team");
export const resolved = seedOf("demo-resolved");
export const formInProgress = seedOf("demo-form-in-progress");
export const formRefused = seedOf("demo-form-refused");
export const answersKept = seedOf("demo-answers-kept");
export const failedHandoff = seedOf("demo-handoff-failed");
export const waiting = seedOf("demo-waiting");
export const fromElsewhere = seedOf("demo-imported");
/** Its user ID is valid in responses but not in requests, so no session can own the chat. */
export const ofNobody = seedOf("demo-imported-m7");

function seedOf(id: string): Seed {
  const written = content.chats.find((chat) => chat.id === id);
  if (written === undefined) throw new Error(`chats.json has no ${id}`);
  const { chat, customerId, userId, ...about } = written;
  return {
    ...about,
    customerId,
    chat: ({ now }) => ({
      ...(atTimes(chat, now) as Omit<ReturnType<Seed["chat"]>, "userId">),
      userId: customerId === null ? String(userId) : userIdOfCustomer(customerId),
    }),
  };
}

/** The file gives times as minutes before now; null is an unknown time. */
function atTimes(value: unknown, now: Date): unknown {
  if (Array.isArray(value)) return value.map((item) => atTimes(item, now));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name.endsWith("At") && typeof inner === "number" ? minutesBefore(now, inner) : atTimes(inner, now),
    ]),
  );
}
