/** The agent plans its answer with bounded work, whatever the message or the chat's earlier messages are. */
import { expect, test } from "vitest";
import { limits } from "#lib/chat-api/limits.ts";
import type { AgentTurn } from "../channel/agents/agent.ts";
import { openShop } from "./knowledge/shop.ts";
import { boundedText, fold } from "./language/fold.ts";
import { languages } from "./language/languages.ts";
import { planTurn } from "./planner/plan.ts";
import { aMessage, aTurn } from "./testing/turns.ts";

const shop = openShop("https://shop.example");

/** How often a plan may ask what a text wants, and how many code units these texts may have together. */
const allowed = { rankings: 60, read: 4_000 };

/** The work of planning a turn: its cost grows with these counts and with nothing else of a message. */
function workOf(turn: AgentTurn): { rankings: number; read: number } {
  const work = { rankings: 0, read: 0 };
  const rank: typeof shop.intents.rank = (reading, prior) => {
    work.rankings += 1;
    work.read += reading.text.length;
    // What a text names is compared with everything else that it names.
    expect(reading.mentions.length).toBeLessThan(1_000);
    return shop.intents.rank(reading, prior);
  };
  planTurn(turn, { ...shop, intents: { ...shop.intents, rank } });
  return work;
}

function expectBounded(turn: AgentTurn, turns = 1): void {
  const { rankings, read } = workOf(turn);
  expect(rankings).toBeLessThanOrEqual(allowed.rankings * turns);
  expect(read).toBeLessThanOrEqual(allowed.read * turns);
}

/** A seeded random number generator (mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function repeated(part: string): string {
  const times = Math.ceil(limits.messageTextLength / part.length);
  return part.repeat(times).slice(0, limits.messageTextLength).toWellFormed();
}

const latin = [..."abcdefghijklmnopqrstuvwxyz"];
/**
 * Classes of characters: letters, marks, digits, punctuation, spaces, symbols and controls, of supported and
 * other scripts.
 */
const classes: readonly (readonly string[])[] = [
  latin,
  [..."äöüßéèçœæ"],
  [..."استرجاعوالفبلك"],
  [..."あいうかきくけこをはが"],
  [..."アイウヘルメット"],
  [..."配送料返品保証自転車"],
  [..."가각\u1100\u1161\u11a8ก我"],
  [..."\u0300\u0301\u0323\u0345\u064b\u0670\u20dd\u{1d165}"],
  [..."0123456789.,٠١٢۳"],
  [..."!?.,;:'’\"()[]*_`-/&+؟،。、"],
  [..." \t\n\u00a0\u2003\u3000"],
  [..."\ufdfa\ufdfb㍿㌖ﬃⅧ𝐚ａ①"],
  [..."😀🇩🇪👨‍👩‍👧£€¥"],
  [..."\u0001\u007f\u200b\u200d\u202e\u2066\ufeff\ufffd"],
];
const words =
  "return refund order helmet bike gift card delivery to Ireland how much under £5 and also send it back not hasn't " +
  "Fell Heron Mule Wick 900 size M 172 cm TT-100482 monday Fahrradhelm Rückgabe und oder wie viel unter 20 € remboursement " +
  "l'état d'un casque et aussi الطلب استرجاع خوذة و كم ヘルメット と 自転車 返品 送料 いくら";

const repeatedParts = [
  ...["a", "ing", "ational", "ungen", "والبا", "ヘルメット", "ヘルメット自転車", "配送料", "fahrradhelm"],
  ...[
    "1",
    "1,",
    "1.1.",
    "!",
    "?",
    ", ",
    ". ",
    "a. ",
    "a\n",
    "\n",
    " ",
    "'",
    "a'",
    "l'a",
    "£1,",
    "TT-",
    "`",
    "(",
    "[a](",
  ],
  ...[
    "a\u0301\u0302\u0303\u0304",
    "\u0301\u0323",
    "\ufdfa",
    "\ufdfa ",
    "😀",
    "👨‍👩‍👧",
    "가",
    "\u200b",
    "\u202e",
    "\u0001",
  ],
  ...[
    " and ",
    "und ",
    "helmet ",
    "bike helmet and ",
    "fahrradhelmpflicht ",
    "send it back ",
    "gift card ",
    "under £5 ",
  ],
  ...[
    "from £1",
    "less than ",
    "budget ",
    "172 cm ",
    "1.80 m ",
    "Ireland Northern Ireland ",
    "hasn't ",
    "monday ",
  ],
  ...["do you deliver to Ireland? ", "how much is a helmet? what about returns, and can I pay by card? "],
];

function randomText(seed: number): string {
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[random(list.length)];
  const vocabulary = words.split(" ");
  const used = Array.from({ length: 1 + random(3) }, () => pick(classes) ?? latin);
  const longestWord = 1 + random(seed % 3 === 0 ? limits.messageTextLength : 14);
  let text = "";
  while (text.length < limits.messageTextLength) {
    if (seed % 2 === 0 && random(2) === 0) text += `${pick(vocabulary)} `;
    for (let length = 1 + random(longestWord); length > 0; length -= 1) text += pick(pick(used) ?? latin);
    if (random(4) > 0) text += " ";
  }
  return text.slice(0, limits.messageTextLength).toWellFormed();
}

test.each(repeatedParts)("plans an answer to 4,000 code units of %j with bounded work", (part) => {
  for (const locale of languages) expectBounded(aTurn(repeated(part), { locale }));
});

test("plans an answer to random texts of all classes of characters with bounded work", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const turn = aTurn(randomText(seed), { locale: languages[seed % languages.length] ?? "en" });
    expectBounded(turn);
  }
});

test("plans an answer in a chat full of random texts with bounded work", () => {
  const history = Array.from({ length: 50 }, (_, index) =>
    aMessage({ id: `message-${index}`, text: randomText(1_000 + index) }),
  );
  // Of the history, only the latest 16 messages are read.
  expectBounded(aTurn("Hello", { history }), 17);
});

test("reads the beginning and the end of a long message, in whole words", () => {
  const story = "My neighbour told me a long tale. ".repeat(100);
  const text = boundedText(`Do you deliver to Ireland? ${story}And how much is a helmet?`);
  expect(text).toMatch(/^Do you deliver to Ireland\? My neighbour[^\n]*\n[^\n]*And how much is a helmet\?$/);
  expect(text.length).toBeLessThanOrEqual(801);
  const known = new Set(`${story} Do you deliver to Ireland And how much is a helmet`.split(/\W+/));
  expect(text.match(/\w+/g)?.filter((word) => !known.has(word))).toEqual([]);
});

test("folding does not expand ligatures beyond the maximum length of a message", () => {
  expect(fold("\ufdfa".repeat(limits.messageTextLength)).length).toBeLessThanOrEqual(
    limits.messageTextLength,
  );
});
