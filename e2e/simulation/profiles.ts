/**
 * Profiles of episodes. Half of the episodes mix everything; the others repeat what rarely happens twice
 * in a row: outages that outlast the retries, streams that end in the middle of a reply, or polls that fail
 * while the team answers.
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
  mostDecisions: 40,
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
    retry: 20,
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
    "a release": 10,
    "lost answers": 20,
    "no network": 10,
    "a new tab": 10,
    "another tab in front": 20,
    "accept an offer": 60,
  },
};

const profiles = [mixed, outages, mixed, cutReplies, mixed, team] as const;

export const profileOf = (seed: number): Profile => profiles[seed % profiles.length] ?? mixed;
