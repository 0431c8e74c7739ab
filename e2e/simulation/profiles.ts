/**
 * Profiles of episodes. Two of ten mix everything; the others repeat what rarely happens twice in a row:
 * outages that outlast the retries, streams that end in the middle of a reply, polls that fail while the team
 * answers, forms that cannot be sent, chats that are asked for again and again, much that is written and not
 * sent, or customers who come and go.
 */
import type { actions } from "./actions.ts";
import type { events } from "./events.ts";

export interface Profile {
  /** An episode has 20 actions and events at least, and this many at most. */
  mostDecisions: number;
  /** The share of events among them. */
  eventShares: readonly [number, ...number[]];
  /** The longest pause between two of them, in milliseconds. */
  pauses: readonly [number, ...number[]];
  /** Weights of rows of `actions` and `events` that differ from their own. */
  weights: Readonly<Partial<Record<keyof typeof actions | keyof typeof events, number>>>;
}

const mixed: Profile = {
  mostDecisions: 120,
  eventShares: [0.1, 0.25, 0.5],
  pauses: [300, 3_000, 20_000],
  weights: {},
};

/** Equal messages whose outcome is in doubt, and a customer who tries again. */
const outages: Profile = {
  mostDecisions: 28,
  eventShares: [0.15],
  pauses: [120_000],
  weights: {
    "type and send": 6,
    "send the same text twice": 80,
    "send an earlier text again": 10,
    "open a new chat": 1,
    type: 0,
    attach: 1,
    agree: 60,
    retry: 30,
    edit: 2,
    withdraw: 0,
    "try now": 10,
    "lost writes": 200,
    "a new tab": 1,
    "a full or blocked storage": 0,
    "a cleared storage": 0,
  },
};

/** Replies that are written slowly, and servers that end meanwhile. */
const cutReplies: Profile = {
  mostDecisions: 60,
  eventShares: [0.5],
  pauses: [3_000],
  weights: {
    "send a message with a slow answer": 60,
    "a killed chat server": 40,
    "a tab that a dialog stops": 12,
    "a tab that hangs": 20,
    "a new tab": 20,
    "a crash of the Chat API": 10,
  },
};

/** Chats with the team, whose messages come by polls, and polls that fail. */
const team: Profile = {
  mostDecisions: 40,
  eventShares: [0.6],
  pauses: [60_000],
  weights: {
    "a claim": 30,
    "a teammate's message": 40,
    "many messages of the team": 40,
    "load older messages": 15,
    "a release": 10,
    "lost answers": 20,
    "no network": 10,
    "a new tab": 10,
    "another tab in front": 20,
    "accept an offer": 60,
  },
};

/** Forms whose requests fail, or whose chat leaves the screen or closes meanwhile. */
const forms: Profile = {
  mostDecisions: 35,
  eventShares: [0.2],
  pauses: [10_000, 60_000],
  weights: {
    "type and send": 4,
    "ask for a form or the team": 15,
    "fill in and submit a form": 80,
    "retry a form": 15,
    agree: 60,
    "cancel a form": 6,
    "accept an offer": 60,
    "open a chat": 3,
    "open a new chat": 1,
    "a new tab": 15,
    "a reload": 10,
    "the chat taken off the page": 15,
    "a refusing Chat API": 10,
    "lost writes": 20,
    "a resolved chat": 20,
  },
};

/** Chats that are asked for again and again, in another language or from another tab. */
const newChats: Profile = {
  mostDecisions: 50,
  eventShares: [0.25],
  pauses: [1_000, 30_000],
  weights: {
    "type and send": 12,
    "send the same text twice": 2,
    type: 1,
    attach: 30,
    "retry an upload": 12,
    "open a new chat": 30,
    "change the language": 20,
    retry: 15,
    agree: 40,
    "a new tab": 6,
    "lost answers": 30,
    "lost writes": 20,
    "the end of the plan": 15,
    "an erased empty chat": 60,
    "a cleared storage": 0,
    "a full or blocked storage": 0,
  },
};

/** A customer who writes much and sends little: drafts, files and refused messages in several chats. */
const writing: Profile = {
  mostDecisions: 70,
  eventShares: [0.2],
  pauses: [1_000, 4_000],
  weights: {
    type: 30,
    attach: 25,
    detach: 6,
    edit: 40,
    retry: 10,
    "propose a text": 8,
    "start over": 60,
    "open a chat": 20,
    "open a new chat": 12,
    "see the last message": 15,
    agree: 40,
    rate: 12,
    answer: 20,
    "ask for a form or the team": 10,
    "a resolved chat": 40,
    "a refusing Chat API": 10,
    "the end of the plan": 30,
    "an unpublished agent": 10,
    "another text to agree to": 10,
    "a full or blocked storage": 0,
    "a cleared storage": 0,
    "a tab that a dialog stops": 0,
    "the back/forward cache": 0,
    "lost answers": 0,
  },
};

/** Customers who come, sign in, sign out and leave while something waits. */
const visits: Profile = {
  mostDecisions: 50,
  eventShares: [0.45],
  pauses: [400, 3_000],
  weights: {
    type: 15,
    attach: 15,
    "open a chat": 10,
    "open a new chat": 6,
    "see the last message": 10,
    "send a message with a slow answer": 15,
    "a tab in which the customer writes at once": 80,
    "a sign-in": 50,
    "a sign-out": 30,
    "the chat taken off the page": 20,
    "a claim": 10,
    "a teammate's message": 15,
    "a full or blocked storage": 0,
    "a cleared storage": 0,
    "a tab that a dialog stops": 0,
    "the end of the plan": 10,
    "no network": 10,
  },
};

/** Turns, forms and handoffs that processes of the channel begin, lose and take over. */
const turns: Profile = {
  mostDecisions: 120,
  eventShares: [0.4],
  // Most turns end before the next one is asked for.
  pauses: [6_000, 12_000],
  weights: {
    "type and send": 6,
    "send the same text twice": 2,
    "send an earlier text again": 2,
    "send two messages in one tick": 1,
    "ask for a form or the team": 40,
    "send a message with a slow answer": 10,
    "fill in and submit a form": 80,
    "skip a form": 15,
    "cancel a form": 8,
    "accept an offer": 60,
    "open a new chat": 0,
    "a crash of the Chat API": 20,
    "a claim": 6,
    "a teammate's message": 8,
    "a release": 20,
    "a closed tab": 0,
    "the chat taken off the page": 0,
    "a hidden tab": 0,
    "a tab that a dialog stops": 0,
    "the back/forward cache": 0,
    "no network": 0,
    "lost answers": 0,
    "the end of the plan": 0,
    "an unpublished agent": 0,
  },
};

/** Turns whose process is suspended, killed or stopped while another one answers. */
const lostTurns: Profile = {
  ...turns,
  mostDecisions: 60,
  weights: {
    ...turns.weights,
    "ask for a form or the team": 10,
    "send a message with a slow answer": 60,
    "a crash of the Chat API": 120,
    "a new tab": 15,
  },
};

const profiles = [
  mixed,
  outages,
  forms,
  cutReplies,
  outages,
  team,
  newChats,
  mixed,
  writing,
  visits,
] as const;

/** The profile of an episode. With the real channel two of three are about its turns. */
export function profileOf(seed: number, isReal: boolean): Profile {
  const ofTurns = isReal ? [null, turns, lostTurns][seed % 3] : null;
  return ofTurns ?? profiles[seed % profiles.length] ?? mixed;
}
