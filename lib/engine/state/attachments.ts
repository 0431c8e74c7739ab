/**
 * The files of the next message: which the chat takes, their order, and whether they are ready. The server
 * checks them again.
 */

import { fileMediaTypes, limits } from "../../chat-api/limits.ts";
import type { File as ChatFile } from "../../chat-api/message.ts";
import type { ChatState, Upload } from "./state.ts";

export type AttachmentProblem = "wrong_type" | "too_large" | "empty" | "too_many";

export interface AttachmentCandidate {
  /** The media type by bytes and name; empty if no allowed type fits. */
  type: string;
  size: number;
}

export function attachmentProblem(
  file: AttachmentCandidate,
  alreadyAttached: number,
): AttachmentProblem | null {
  if (alreadyAttached >= limits.filesPerMessage) return "too_many";
  if (!fileMediaTypes.some((allowed) => allowed === file.type)) return "wrong_type";
  if (file.size === 0) return "empty";
  return file.size > limits.fileBytes ? "too_large" : null;
}

export function isPicture(mediaType: string): boolean {
  return mediaType.startsWith("image/") && fileMediaTypes.some((allowed) => allowed === mediaType);
}

/** A file of the next message: to be chosen again, on its way, or uploaded. */
export type Attachment =
  | { kind: "lost"; name: string }
  | { kind: "upload"; upload: Upload }
  | { kind: "file"; file: ChatFile };

/**
 * The attachments: those to be chosen again first, then the draft's other files, then those chosen on this
 * page, in the order of choice: uploads end in any order.
 */
export function attachmentsOf({ draft, uploads }: Pick<ChatState, "draft" | "uploads">): Attachment[] {
  const uploaded = new Map<string, Attachment>(draft.files.map((file) => [file.id, { kind: "file", file }]));
  const chosen = uploads.flatMap((upload): Attachment[] => {
    if (upload.state.state !== "attached") return [{ kind: "upload", upload }];
    const { fileId } = upload.state;
    const file = uploaded.get(fileId);
    uploaded.delete(fileId);
    return file === undefined ? [] : [file];
  });
  return [...draft.lost.map((name) => ({ kind: "lost", name }) as const), ...uploaded.values(), ...chosen];
}

/** True while a file that is not uploaded keeps the message from being sent. */
export function awaitsFiles({ draft, uploads }: Pick<ChatState, "draft" | "uploads">): boolean {
  return draft.lost.length > 0 || uploads.some(({ state }) => state.state !== "attached");
}

/** Names of the chosen files that are neither attached nor refused. */
export function unfinishedNames(uploads: readonly Upload[]): readonly string[] {
  return uploads
    .filter(({ state }) => state.state !== "attached" && state.state !== "refused")
    .map(({ file }) => file.name);
}
