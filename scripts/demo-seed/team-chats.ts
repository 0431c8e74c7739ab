/** Chats before, during and after a handoff, and one whose handoff failed. */

import { userIdOfCustomer } from "#lib/bff/session/customer.ts";
import { day, minutesBefore, type Seed } from "./seed.ts";

/** Names with an emoji and Arabic letters, for badges, headings and avatars. */
const mechanic = "Tomasz K. 🔧";
const arabicTeammate = "ليلى";

export const withTeam: Seed = {
  id: "demo-with-team",
  customerId: "maya-okafor",
  title: "With the team",
  about:
    "Two teammates, one with an emoji and one with an Arabic name; notices; read it, close the chat, then run `npm run demo:seed -- --team-writes` for a badge with 4.",
  chat: ({ now }) => ({
    userId: userIdOfCustomer("maya-okafor"),
    createdAt: minutesBefore(now, 90),
    mode: "teammate",
    teammate: mechanic,
    handoff: {
      status: "claimed",
      requestedAt: minutesBefore(now, 84),
      requiresEmail: false,
      email: "maya.okafor@example.com",
    },
    messages: [
      { role: "visitor", text: "My rear hub clicks. Is that dangerous?", createdAt: minutesBefore(now, 90) },
      {
        role: "agent",
        text: "A clicking hub should be looked at before the next ride. Shall I pass you to the workshop?",
        createdAt: minutesBefore(now, 89),
      },
      { role: "visitor", text: "Yes please.", createdAt: minutesBefore(now, 85) },
      { role: "system", text: "You are waiting for the team.", createdAt: minutesBefore(now, 84) },
      { role: "system", text: `${arabicTeammate} has joined.`, createdAt: minutesBefore(now, 80) },
      {
        role: "teammate",
        author: arabicTeammate,
        text: "مرحبًا مايا، أحوّلك الآن إلى الورشة.\nHello Maya, I am passing you to the workshop now.",
        createdAt: minutesBefore(now, 79),
      },
      { role: "system", text: `${mechanic} has joined.`, createdAt: minutesBefore(now, 60) },
      {
        role: "teammate",
        author: mechanic,
        text: "Hi Maya, Tomasz here. Does it click when you pedal, or also when you roll?",
        createdAt: minutesBefore(now, 59),
      },
      { role: "visitor", text: "Only when I pedal hard uphill.", createdAt: minutesBefore(now, 50) },
      {
        role: "teammate",
        author: mechanic,
        text: "Then it is the freehub, and you can ride it home 👍",
        createdAt: minutesBefore(now, 49),
      },
    ],
  }),
};

/** The messages of `--team-writes`. */
export const teamWrites: readonly string[] = [
  "I have found the part.",
  "It is £18, and fitting takes half an hour.",
  "Friday at 10:00 would be free.",
  "Shall I keep the place for you?",
];

export const waiting: Seed = {
  id: "demo-waiting",
  customerId: "salma-haddad",
  title: "Waiting for the team",
  about: "Nobody has it yet. In the demonstration an automatic teammate takes it, unless you are faster.",
  chat: ({ now }) => ({
    userId: userIdOfCustomer("salma-haddad"),
    locale: "ar",
    createdAt: minutesBefore(now, 20),
    mode: "waiting",
    handoff: {
      status: "waiting",
      requestedAt: minutesBefore(now, 12),
      requiresEmail: true,
      email: "salma.haddad@example.com",
    },
    messages: [
      { role: "visitor", text: "أريد التحدّث مع شخص عن طلبي TT-100471.", createdAt: minutesBefore(now, 20) },
      { role: "agent", text: "هل أحوّلك إلى الفريق؟", createdAt: minutesBefore(now, 19) },
      { role: "system", text: "تنتظر الفريق.", createdAt: minutesBefore(now, 12) },
      { role: "visitor", text: "شكرًا، أنتظر هنا.", createdAt: minutesBefore(now, 11) },
    ],
  }),
};

export const failedHandoff: Seed = {
  id: "demo-handoff-failed",
  customerId: "lukas-brandt",
  title: "The request did not reach the team",
  about: "The agent goes on, and the customer is told what else they can do.",
  chat: ({ now }) => ({
    userId: userIdOfCustomer("lukas-brandt"),
    locale: "de",
    createdAt: minutesBefore(now, 200),
    handoff: { status: "failed", requestedAt: minutesBefore(now, 180), requiresEmail: false },
    messages: [
      {
        role: "visitor",
        text: "Ich möchte mit einem Menschen sprechen.",
        createdAt: minutesBefore(now, 185),
      },
      { role: "agent", text: "Gern, ich gebe Sie weiter.", createdAt: minutesBefore(now, 184) },
      {
        role: "system",
        text: "Ihre Anfrage hat das Team nicht erreicht.",
        createdAt: minutesBefore(now, 170),
      },
    ],
  }),
};

export const resolved: Seed = {
  id: "demo-resolved",
  customerId: "maya-okafor",
  title: "Closed by the team",
  about: "Takes no more messages; a new chat starts with the typed text.",
  chat: ({ now }) => ({
    userId: userIdOfCustomer("maya-okafor"),
    createdAt: minutesBefore(now, 3 * day),
    mode: "resolved",
    handoff: { status: "resolved", requestedAt: minutesBefore(now, 3 * day - 5), requiresEmail: true },
    messages: [
      {
        role: "visitor",
        text: "My gift card code does not work at the till.",
        createdAt: minutesBefore(now, 3 * day),
      },
      { role: "system", text: "You are waiting for the team.", createdAt: minutesBefore(now, 3 * day - 5) },
      { role: "system", text: "Zoë has joined.", createdAt: minutesBefore(now, 2 * day) },
      {
        role: "teammate",
        author: "Zoë",
        text: "We have sent you a new code by e-mail. Sorry for the trouble!",
        createdAt: minutesBefore(now, 2 * day - 2),
      },
      { role: "visitor", text: "It works, thank you.", createdAt: minutesBefore(now, 2 * day - 30) },
      {
        role: "system",
        text: "Zoë has closed this conversation.",
        createdAt: minutesBefore(now, 2 * day - 31),
      },
    ],
  }),
};
