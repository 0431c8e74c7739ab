/** A chat's forms and its offer as this tab knows them. They survive a reload in the tab's storage. */
import type { SubmitCollectionBody } from "../../chat-api/operations/submit-collection.ts";
import type { Failure } from "../failure.ts";
import type { TypedAnswers } from "./form.ts";

/** The customer's last action on a form. */
export type CollectionAction = SubmitCollectionBody["action"];

export type FormProgress =
  | { state: "filling" }
  /** `waiting`: why the request waits before it is repeated; null while it is in flight. */
  | { state: "sending"; action: CollectionAction; waiting: Failure | null }
  /** The form is still open after this submission: answers are missing or can be changed. */
  | { state: "saved" }
  | { state: "failed"; action: CollectionAction; failure: Failure };

export interface FormState {
  /** Null until the customer types or submits. */
  typed: TypedAnswers | null;
  /** The time of the newest value that was stored when the customer began to type. */
  typedSince: string;
  progress: FormProgress;
  /** True once this request has been saved: from then on the customer changes answers. */
  wasSaved: boolean;
  /** True after a submission with invalid answers, which are shown from then on. */
  isChecked: boolean;
  /** How the form ended in this tab; null while it is open. */
  end: CollectionAction | null;
}

/** A handoff request as it is sent. */
export interface HandoffRequest {
  confirmationId: string;
  /** Null if the offer asks for none. */
  email: string | null;
  /** BCP 47. */
  locale: string;
}

/** The latest attempt to accept an offer. */
export type OfferAttempt = { confirmationId: string } & (
  | { state: "sending"; waiting: Failure | null }
  | { state: "failed"; failure: Failure }
);

/** A request with an unknown outcome and its idempotency key. */
export interface KeptAttempt {
  key: string;
  request: string;
}

export interface ChatForms {
  /** Forms by request ID, which is unique within a chat. */
  forms: ReadonlyMap<string, FormState>;
  /** Whether the chat's collection is known. */
  reading: "reading" | "done" | "failed";
  offer: {
    /** The address that the customer has given in this chat, in an offer or a form; the next offer has it. */
    email: string;
    /** The handoff that the customer has asked for and that has not succeeded yet. */
    request: HandoffRequest | null;
    attempt: OfferAttempt | null;
  };
  /** The latest submission and the latest handoff, while their outcomes are unknown. */
  submission: KeptAttempt | null;
  handoff: KeptAttempt | null;
}

export const noForms: ChatForms = {
  forms: new Map(),
  reading: "reading",
  offer: { email: "", request: null, attempt: null },
  submission: null,
  handoff: null,
};

const newForm: FormState = {
  typed: null,
  typedSince: "",
  progress: { state: "filling" },
  wasSaved: false,
  isChecked: false,
  end: null,
};

export function formStateOf({ forms }: ChatForms, requestId: string): FormState {
  return forms.get(requestId) ?? newForm;
}
