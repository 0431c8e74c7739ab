/** A chat's forms and offer in the tab's storage: one entry per chat. */
import { errorRules } from "../../chat-api/errors.ts";
import { askedUntil, type Failure } from "../failure.ts";
import { parseTyped } from "../state/form.ts";
import {
  type ChatForms,
  type CollectionAction,
  type FormProgress,
  type FormState,
  formStateOf,
  type HandoffRequest,
  type KeptAttempt,
  noForms,
  type OfferAttempt,
} from "../state/forms-state.ts";
import { fieldsOf, isRecord, parseFailure, parseJson } from "../storage/stored.ts";

export function encodeForms({ forms, offer, submission, handoff }: ChatForms, owner: string): string | null {
  const entries = [...forms].map(([id, form]) => [
    id,
    {
      typed: form.typed && [...form.typed],
      typedSince: form.typedSince,
      refusal: keptRefusal(form.progress),
      end: form.end,
    },
  ]);
  const isEmpty = entries.length === 0 && submission === null && handoff === null;
  return isEmpty && JSON.stringify(offer) === JSON.stringify(noForms.offer)
    ? null
    : JSON.stringify({
        owner,
        forms: entries,
        offer: { ...offer, attempt: keptAttempt(offer.attempt) },
        submission,
        handoff,
      });
}

/**
 * A refused submission is kept in two cases: the server asked for a wait, which a reload must not shorten, or
 * it called the chat closed, which hides the form until the chat turns out to be open.
 */
function keptRefusal(progress: FormProgress): { action: CollectionAction; failure: Failure } | null {
  if (progress.state !== "sending" && progress.state !== "failed") return null;
  const failure = progress.state === "sending" ? progress.waiting : progress.failure;
  const isKept =
    failure !== null && (askedUntil(failure) !== null || errorRules[failure.code].ends === "closed");
  return isKept ? { action: progress.action, failure } : null;
}

/** A refused offer stays refused after a reload, and a wait that the server asked for continues. */
function keptAttempt(attempt: OfferAttempt | null): OfferAttempt | null {
  if (attempt === null || attempt.state === "failed") return attempt;
  const { confirmationId, waiting } = attempt;
  const isAsked = waiting !== null && askedUntil(waiting) !== null;
  return isAsked ? { confirmationId, state: "failed", failure: waiting } : null;
}

export function parseForms(stored: string | null): ChatForms {
  const value = parseJson(stored);
  if (!isRecord(value)) return noForms;
  const forms = (Array.isArray(value["forms"]) ? value["forms"] : []).flatMap((entry: unknown) =>
    Array.isArray(entry) && typeof entry[0] === "string" && isRecord(entry[1])
      ? [[entry[0], parseForm(entry[1])] as const]
      : [],
  );
  const offer = isRecord(value["offer"]) ? value["offer"] : {};
  return {
    ...noForms,
    forms: new Map(forms),
    offer: {
      ...fieldsOf(offer, { email: "" }),
      request: parseRequest(offer["request"]),
      attempt: parseAttempt(offer["attempt"]),
    },
    submission: parseKept(value["submission"]),
    handoff: parseKept(value["handoff"]),
  };
}

function parseForm(stored: Record<string, unknown>): FormState {
  const { typed, refusal, end } = stored;
  return {
    ...formStateOf(noForms, ""),
    ...fieldsOf(stored, { typedSince: "" }),
    typed: Array.isArray(typed) ? parseTyped(typed) : null,
    progress: parseRefusal(refusal) ?? { state: "filling" },
    end: parseAction(end),
  };
}

function parseRefusal(value: unknown): FormProgress | null {
  if (!isRecord(value)) return null;
  const [action, failure] = [parseAction(value["action"]), parseFailure(value["failure"])];
  if (action === null || failure === null) return null;
  const until = askedUntil(failure);
  return until === null || until > Date.now() ? { state: "failed", action, failure } : null;
}

function parseAction(value: unknown): CollectionAction | null {
  return value === "save" || value === "skip" || value === "cancel" ? value : null;
}

function parseRequest(value: unknown): HandoffRequest | null {
  const request = fieldsOf<HandoffRequest>(value, { confirmationId: "", email: null, locale: "en" });
  return request.confirmationId === "" ? null : request;
}

function parseAttempt(value: unknown): OfferAttempt | null {
  const failure = isRecord(value) ? parseFailure(value["failure"]) : null;
  return failure && { ...fieldsOf(value, { confirmationId: "" }), state: "failed", failure };
}

function parseKept(value: unknown): KeptAttempt | null {
  const kept = fieldsOf<KeptAttempt>(value, { key: "", request: "" });
  return kept.key === "" ? null : kept;
}
