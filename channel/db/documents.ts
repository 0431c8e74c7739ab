/** Types of the JSON documents and enumerations in the tables. */
import type { CollectionValue, Field } from "#lib/chat-api/collection.ts";
import type { Message, MessagePart } from "#lib/chat-api/message.ts";

/** A message's attachments. Absent means none. */
export type Attachments = Partial<Pick<Message, MessagePart>>;

/** The open form. The collection holds its fields' definitions. */
export interface OpenForm {
  id: string;
  collectionId: string;
  purpose: string;
  fields: readonly { fieldId: string; required: boolean }[];
  canSkip: boolean;
  canCancel: boolean;
}

export interface CollectionState {
  /** Increases whenever the form or its answers change, but not when only `error` does. */
  version: number;
  /** Every field that a form of this chat has had; a later definition replaces an earlier one. */
  fields: readonly Field[];
  values: readonly CollectionValue[];
  request: OpenForm | null;
  /** Outlasts the form for the handoff, because the client then still has to repeat its handoff request. */
  pendingAction: "handoff" | null;
  error: string | null;
}

/**
 * `running` is the only state that changes. `succeeded` has a result; `refused` is a refusal that wrote
 * something, and replays repeat it; `superseded` and `interrupted` are turns that will never have a reply.
 */
export type OperationState = "running" | "succeeded" | "refused" | "superseded" | "interrupted";

/** The writing operations, and `followUp`: the turn that the channel itself starts after a form. */
export type OperationKind =
  | "createChat"
  | "sendMessage"
  | "uploadFile"
  | "submitCollection"
  | "handoff"
  | "followUp";
