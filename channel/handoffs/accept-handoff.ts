/** Pass the chat to the team (docs/chat-api.md, "Forms and handoffs"). */
import type { Chat } from "#lib/chat-api/chat.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { HandoffBody } from "#lib/chat-api/operations/handoff.ts";
import type { FormRequest } from "../agents/agent.ts";
import type { ChannelLimits } from "../channel-limits.ts";
import {
  type ChatPhase,
  changeChat,
  lockChat,
  requirePlan,
  requireReady,
  toChat,
} from "../chats/chat-store.ts";
import { defaultLocale } from "../chats/create-chat.ts";
import { endPendingAction, missingDetails } from "../collections/collection-state.ts";
import { loadCollection, requestForm, saveCollection } from "../collections/collection-store.ts";
import type { Core } from "../core.ts";
import { type CollectionState, outbox, type StoredOffer } from "../db/schema.ts";
import type { TeamHours } from "../db/team-hours.ts";
import type { WriteRequest } from "../idempotency/ledger.ts";
import { type PhaseEnd, runOnce, type WriteOutcome } from "../idempotency/run-once.ts";
import { appendMessage } from "../messages/message-store.ts";
import { availabilityAt } from "./hours.ts";
import { noticeText } from "./notices.ts";

interface HandoffDeps extends Pick<Core, "database" | "clock" | "reach"> {
  /** Refuses new operations while the process stops. */
  engine: { requireAccepting(): void };
}

/**
 * Accepts the chat's latest offer: the chat then waits for the team. If the team requires details first,
 * opens a form and answers `collection_incomplete`, even to replays; the next attempt needs a new key.
 *
 * @throws ChatApiError one of the operation's codes
 */
export async function acceptHandoff(
  deps: HandoffDeps,
  request: WriteRequest,
  body: HandoffBody,
  settings: { hours: TeamHours | null; limits: ChannelLimits },
): Promise<WriteOutcome<Chat>> {
  const run = async (phase: ChatPhase): Promise<PhaseEnd<Chat>> => {
    deps.engine.requireAccepting();
    requireReady(phase.chat, settings.limits);
    await requirePlan(phase.tx, phase.chat, settings.limits);
    const offer = phase.chat.mode === "agent" ? phase.chat.latestOffer : null;
    if (offer?.confirmationId !== body.confirmationId)
      throw new ChatApiError("confirmation_required", { field: "/confirmationId" });
    const collection = await loadCollection(phase.tx, phase.chat.id);
    const { details } = offer;
    const email = body.email ?? collectedEmail(collection);
    if (offer.requiresEmail && email === null && !asksForEmail(details))
      throw new ChatApiError("invalid_request", {
        field: "/email",
        message: "The team is away and replies by email: an email address is needed.",
      });
    if (details !== null && missingDetails(collection, details).length > 0) {
      await askForDetails(phase, collection, details);
      return { kind: "refused", error: new ChatApiError("collection_incomplete"), stored: true };
    }
    const ended = endPendingAction(collection);
    if (ended !== collection) await saveCollection(phase.tx, phase.chat.id, ended);
    const item = await handOver(
      phase,
      offer,
      { email, locale: body.locale ?? defaultLocale },
      settings.hours,
    );
    deps.reach("around-handoff");
    return { kind: "done", item };
  };
  return runOnce(deps, request, { lock: lockChat, run });
}

async function askForDetails(
  { tx, chat, now }: ChatPhase,
  collection: CollectionState,
  details: FormRequest,
): Promise<void> {
  await changeChat(tx, chat, { operationCount: chat.operationCount + 1 }, now);
  // A form already open for the handoff stays open, with its answers.
  if (collection.pendingAction === "handoff" && collection.request !== null) return;
  await requestForm(tx, chat.id, details, "handoff");
}

async function handOver(
  { tx, chat, operationId, now }: ChatPhase,
  offer: StoredOffer,
  customer: { email: string | null; locale: string },
  hours: TeamHours | null,
): Promise<Chat> {
  const { nextAvailableAt, timezone } = availabilityAt(hours, now);
  const text = noticeText("waiting", customer.locale);
  const handedOver = await appendMessage(tx, chat, { role: "system", text }, now, {
    mode: "waiting",
    operationCount: chat.operationCount + 1,
    handoffStatus: "waiting",
    handoffRequestedAt: now,
    handoffRequiresEmail: offer.requiresEmail,
    handoffNextAvailableAt: nextAvailableAt,
    handoffTimezone: timezone,
    handoffEmail: customer.email,
  });
  await tx.insert(outbox).values({
    // Lets the receiver drop a duplicate delivery.
    id: operationId,
    chatId: chat.id,
    kind: "handoff_requested",
    payload: { chatId: chat.id, userId: chat.userId, ...customer, requestedAt: now.toISOString() },
    createdAt: now,
  });
  return toChat(handedOver.chat);
}

/** Whether the form requires an email address: the request then need not contain one. */
function asksForEmail(details: FormRequest | null): boolean {
  return details?.fields.some((entry) => entry.required && entry.field.type === "email") ?? false;
}

/** An email address that the customer has already given in a form. */
function collectedEmail(collection: CollectionState): string | null {
  const fieldIds = new Set(
    collection.fields.filter((field) => field.type === "email").map((field) => field.id),
  );
  const email = collection.values.find((value) => fieldIds.has(value.fieldId) && value.status === "accepted");
  return email?.value ?? null;
}
