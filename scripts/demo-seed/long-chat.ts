/** A very long chat. */
import { userIdOfCustomer } from "#lib/bff/session/customer.ts";
import type { ImportedMessage } from "../../testing/lab/lab-client.ts";
import { minutesBefore, type Seed } from "./seed.ts";

const talks: readonly (readonly [asked: string, answered: string])[] = [
  ["How far did I ride last week?", "That was 84 km, most of it along the canal."],
  ["Which tyres for gravel and rain?", "Forty millimetres, with a closed centre and open shoulders."],
  ["My brake squeals when it is wet.", "Clean the rotor with alcohol; if it stays, bring it in."],
  ["Is the workshop open on Saturday?", "From 10:00 to 16:00, in all three shops."],
  ["Can I bring the old battery back?", "Yes, to any shop, and it costs you nothing."],
  ["What does a Gold service include?", "Bearings, cables, a deep clean and a test ride."],
  ["Does the rain shell come in moss?", "It is sold out in moss at the moment."],
  ["Where is my order?", "It left us this morning and should be with you tomorrow."],
  ["How do I size a helmet?", "Measure around the forehead, two fingers above the brows."],
  ["May I cycle to work with the Heron?", "The scheme covers it, up to the price your employer set."],
];

const messageCount = 2_300;
/** The interval of about two and a half messages a day. */
const minutesApart = 580;

export const longHistory: Seed = {
  id: "demo-long-history",
  customerId: "kenji-mori",
  title: "2,300 messages",
  about: "Opens at its end. Scroll up, jump to the latest.",
  chat: ({ now }) => ({
    userId: userIdOfCustomer("kenji-mori"),
    createdAt: minutesBefore(now, messageCount * minutesApart),
    messages: Array.from({ length: messageCount }, (_, index) => numbered(now, index)),
  }),
};

function numbered(now: Date, index: number): ImportedMessage {
  const [asked = "", answered = ""] = talks[Math.floor(index / 2) % talks.length] ?? [];
  const isQuestion = index % 2 === 0;
  // Each reply follows its question after a minute.
  const minutes = (messageCount - index) * minutesApart + (isQuestion ? 0 : minutesApart - 1);
  return {
    role: isQuestion ? "visitor" : "agent",
    text: `${isQuestion ? asked : answered} (message ${(index + 1).toLocaleString("en")})`,
    createdAt: minutesBefore(now, Math.max(0, minutes)),
  };
}
