import { createElement } from "react";
import { expect, test } from "vitest";
import type { Collection } from "../../../lib/chat-api/collection.ts";
import type { Message } from "../../../lib/chat-api/message.ts";
import { aHandoff, anOffer } from "../../../lib/chat-api/testing/builders.ts";
import { type FailureCode, failure } from "../../../lib/engine/failure.ts";
import { noForms, type OfferAttempt } from "../../../lib/engine/state/forms-state.ts";
import { aChat, aConversation, aMessage } from "../../../lib/engine/testing/builders.ts";
import { aForm } from "../fixtures/parts.ts";
import { chatWith, rendered } from "../testing/rendered.ts";
import { OfferCard } from "./offer-card.tsx";

interface Scene {
  requiresEmail?: boolean;
  refused?: FailureCode;
  /** Why the request is about to be repeated. */
  waitsFor?: FailureCode;
  /** A failure that belongs to another offer of this chat. */
  refusedBefore?: FailureCode;
  collection?: Collection;
  later?: Message[];
  mode?: "agent" | "waiting";
  isDeleted?: boolean;
  /** A teammate has had the chat since the offer was made. */
  wasWithTeam?: boolean;
}

const endedHandoff = aHandoff({ status: "claimed", requestedAt: "2026-06-02T10:00:00.000Z" });

let made = 0;

/** Renders the card of an offer. */
function card(scene: Scene = {}): string {
  const {
    requiresEmail = true,
    refused,
    waitsFor,
    refusedBefore,
    collection,
    later = [],
    mode = "agent",
    isDeleted = false,
    wasWithTeam = false,
  } = scene;
  made += 1;
  const chatId = `chat_offer_card_${made}`;
  const offer = anOffer({ requiresEmail });
  const message = aMessage({ chatId, handoffOffer: offer });
  const state = aConversation({
    chatId,
    chat: aChat({ id: chatId, mode, handoff: wasWithTeam ? endedHandoff : null }),
    collection: collection ?? null,
    messages: [message, ...later],
    syncFailure: isDeleted ? failure("chat_not_found") : null,
  });
  const { confirmationId } = offer;
  const code = refused ?? refusedBefore;
  const attempt: OfferAttempt | null =
    waitsFor !== undefined
      ? {
          confirmationId,
          state: "sending",
          waiting: failure(waitsFor, { at: Date.now(), retryAfterSeconds: 40 }),
        }
      : code === undefined
        ? null
        : {
            confirmationId: refused === undefined ? "confirm-0" : confirmationId,
            state: "failed",
            failure: failure(code),
          };
  const forms = { ...noForms, reading: "done" as const, offer: { ...noForms.offer, attempt } };
  return rendered(
    createElement(OfferCard, { messageId: message.id, offer }),
    chatWith({ conversation: state, forms }),
  );
}

const button = />Talk to the team<\/button>/;

test("says once how the team replies and asks for the address once", () => {
  const html = card();
  expect(html).toMatch(button);
  expect(html.match(/replies here and by/g)).toHaveLength(1);
  expect(html.match(/<input/g)).toHaveLength(1);
  expect(card({ requiresEmail: false })).not.toMatch(/<input|by email/);
});

test("is shown only while the offer can be accepted", () => {
  expect(card({ mode: "waiting" })).toBe("");
  expect(card({ isDeleted: true })).toBe("");
});

test("offers only to ask again after `confirmation_required`, until the customer writes", () => {
  const html = card({ refused: "confirmation_required" });
  expect(html).toContain("This offer is no longer valid.");
  expect(html).not.toContain("The team replies");
  expect(html).not.toMatch(button);
  expect(html).not.toContain("<input");
  expect(card({ refused: "confirmation_required", later: [aMessage({ role: "visitor" })] })).toBe("");
  expect(card({ refused: "confirmation_required", later: [aMessage({ role: "system" })] })).not.toBe("");
  expect(card({ refusedBefore: "confirmation_required" })).toMatch(button);
});

test("hides an offer once a teammate has had the chat, but not its earlier refusal", () => {
  expect(card({ wasWithTeam: true })).toBe("");
  expect(card({ wasWithTeam: true, refused: "confirmation_required" })).toContain("Ask for a person again");
});

test("points to the form while it is open and shows no fields of its own", () => {
  const open = aForm("request-1", undefined, { pendingAction: "handoff" });
  const html = card({ refused: "collection_incomplete", collection: open });
  expect(html).toContain("Please fill in the form below.");
  expect(html).not.toContain("<input");
  expect(html).not.toMatch(button);
  for (const collection of [{ ...open, request: null }, aForm("request-2")])
    expect(card({ refused: "collection_incomplete", collection })).not.toContain("the form below");
});

test("shows the note's button after other failures and lets the address be changed", () => {
  const html = card({ refused: "internal_error" });
  expect(html).toContain("Try again");
  expect(html).not.toMatch(button);
  expect(html).toContain("<input");
});

test("asks for a change only where something can be changed", () => {
  expect(card({ refused: "invalid_request" })).toContain("Please change it");
  for (const code of ["invalid_request", "payload_too_large"] as const) {
    const html = card({ refused: code, requiresEmail: false });
    expect(html).toContain("This could not be sent.");
    expect(html).toContain("Try again");
    expect(html).not.toContain("Edit");
  }
});

test("says what a request to the team waits for and how long, and announces the reason", () => {
  expect(card({ waitsFor: "turn_in_progress" })).toContain("Waiting for the answer in progress");
  const limited = card({ waitsFor: "rate_limited" });
  expect(limited).toContain("Sending too fast. Trying again in 40 seconds</button>");
  expect(limited).toContain('role="status">Sending too fast. Trying again</span>');
  expect(card({ waitsFor: "service_unavailable" })).toContain("Reconnecting.");
});
