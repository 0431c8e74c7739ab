/** The JSON documents and closed words that rows hold. */
import type { Collection } from "#lib/chat-api/collection.ts";
import type { File } from "#lib/chat-api/file.ts";
import type { Citation, HandoffOffer } from "#lib/chat-api/message.ts";
import type { Order } from "#lib/chat-api/order.ts";
import type { Product } from "#lib/chat-api/product.ts";

/** What a message carries beside its text. Absent means none. */
export interface Attachments {
  files?: readonly File[];
  citations?: readonly Citation[];
  products?: readonly Product[];
  orders?: readonly Order[];
  choices?: readonly string[];
  collection?: Collection;
  handoffOffer?: HandoffOffer;
}

/** Null and absent mean the default of `limits.ts`. */
export interface LimitOverrides {
  chatsPerChannel?: number | null;
  operationsPerChat?: number | null;
  requestsPerMinute?: number | null;
  concurrentTurns?: number | null;
}

export const faultKinds = ["error", "drop", "stall", "delay"] as const;
export type FaultKind = (typeof faultKinds)[number];

/**
 * `running` is the only state that changes. `succeeded` has a result; `refused` is a refusal that left something
 * behind and is therefore answered again; `superseded` and `interrupted` are turns that will have no reply.
 */
export type OperationState = "running" | "succeeded" | "refused" | "superseded" | "interrupted";

/** The writing operations, and `followUp`: the turn after a form, which the channel starts by itself. */
export type OperationKind =
  | "createChat"
  | "sendMessage"
  | "uploadFile"
  | "submitCollection"
  | "handoff"
  | "followUp";
