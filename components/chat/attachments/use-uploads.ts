import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import type { File as ChatFile } from "../../../lib/chat-api/file.ts";
import type { ChatRuntime } from "../../../lib/engine/chat-runtime.ts";
import { withoutNames } from "../../../lib/engine/chats/draft.ts";
import { showEnd } from "../../../lib/engine/delivery/show-end.ts";
import { type Failure, failureOf } from "../../../lib/engine/failure.ts";
import { newKey } from "../../../lib/engine/new-key.ts";
import { keepsKey } from "../../../lib/engine/outbox/outbox.ts";
import {
  type AttachmentFault,
  attachmentFault,
  insertByPosition,
  type Positioned,
} from "../../../lib/engine/uploads/attachments.ts";
import { shrinkPicture } from "../../../lib/engine/uploads/shrink-picture.ts";
import { uploadFile } from "../../../lib/engine/uploads/upload-file.ts";
import { useRetryOnline } from "../files/use-retry-online.ts";

/** A file on its way to the server. */
export interface Upload extends Positioned {
  /** Idempotency key of the upload: the server stores a file once per key, however often it is sent. */
  key: string;
  file: File;
  /** 0 to 1. */
  progress: number;
  state:
    | { state: "uploading" }
    | { state: "refused"; fault: AttachmentFault }
    | { state: "failed"; failure: Failure };
}

type Change =
  | { type: "put"; upload: Upload }
  | { type: "progress"; key: string; progress: number }
  | { type: "remove"; key: string }
  | { type: "clear" };

function reduce(uploads: readonly Upload[], change: Change): readonly Upload[] {
  switch (change.type) {
    case "put":
      return uploads.some(({ key }) => key === change.upload.key)
        ? uploads.map((upload) => (upload.key === change.upload.key ? change.upload : upload))
        : [...uploads, change.upload];
    case "progress":
      return uploads.map((upload) =>
        upload.key === change.key ? { ...upload, progress: change.progress } : upload,
      );
    case "remove":
      return uploads.filter(({ key }) => key !== change.key);
    case "clear":
      return [];
  }
}

/** Uploads files of the conversation on screen; each finished one becomes part of the draft. */
export function useUploads(runtime: ChatRuntime) {
  const [uploads, change] = useReducer(reduce, []);
  const [createKey] = useState(() => runtime.getState().createKey);
  /** Uploads in progress, by key. */
  const cancels = useRef(new Map<string, AbortController>());
  /** How many files the customer has chosen here, and the position of each uploaded file by its ID. */
  const chosen = useRef(0);
  const positions = useRef(new Map<string, number>());
  const positionOf = useCallback(({ id }: ChatFile) => positions.current.get(id) ?? 0, []);
  useEffect(() => {
    const running = cancels.current;
    return () => {
      for (const cancel of running.values()) cancel.abort();
      running.clear();
      // The component may stay mounted: in strict mode, and when another language creates a new runtime.
      change({ type: "clear" });
      runtime.draft.loseUploads();
    };
  }, [runtime]);
  useEffect(() => {
    const unfinished = uploads.filter(({ state }) => state.state !== "refused");
    runtime.draft.holdUploads(
      unfinished.map(({ file }) => file.name),
      createKey,
    );
  }, [runtime, uploads, createKey]);

  const start = useCallback(
    async (upload: Upload) => {
      const cancel = new AbortController();
      cancels.current.set(upload.key, cancel);
      const stored = await runUpload(runtime, upload, cancel.signal, change);
      cancels.current.delete(upload.key);
      if (stored === null) return;
      positions.current.set(stored.id, upload.position);
      const draft = runtime.draft.get();
      const attached = draft.files.map((file) => ({ file, position: positionOf(file) }));
      const files = insertByPosition(attached, { file: stored, position: upload.position });
      runtime.draft.set({ ...draft, files: files.map(({ file }) => file) }, upload.file.name);
      change({ type: "remove", key: upload.key });
    },
    [runtime, positionOf],
  );

  const add = useCallback(
    (files: readonly File[]) => {
      const draft = runtime.draft.get();
      // A file chosen again is no longer lost.
      const lost = withoutNames(
        draft.lost,
        files.map(({ name }) => name),
      );
      runtime.draft.set({ ...draft, lost });
      let attached = draft.files.length + cancels.current.size;
      for (const file of files) {
        const fault = attachmentFault(file, attached);
        chosen.current += 1;
        const upload = { key: newKey(), file, position: chosen.current, progress: 0 };
        // Shrinking a picture counts as uploading, so the message cannot be sent without it.
        if (fault !== null && fault !== "too_large")
          change({ type: "put", upload: { ...upload, state: { state: "refused", fault } } });
        else {
          attached += 1;
          void start({ ...upload, state: { state: "uploading" } });
        }
      }
    },
    [runtime, start],
  );

  const cutOff = uploads.filter(isCutOff);
  useRetryOnline(cutOff.length > 0, () => {
    for (const upload of cutOff) void start(upload);
  });

  return {
    uploads,
    /** Position of an uploaded file in the order of choosing; 0 if it was uploaded before this mount. */
    positionOf,
    add,
    retry(upload: Upload) {
      const { state } = upload;
      if (state.state === "failed" && keepsKey(state.failure)) return void start(upload);
      change({ type: "remove", key: upload.key });
      void start({ ...upload, key: newKey() });
    },
    /** Cancels the upload, or removes its error note. */
    remove(upload: Upload) {
      cancels.current.get(upload.key)?.abort();
      change({ type: "remove", key: upload.key });
    },
  };
}

function isCutOff({ state }: Upload): boolean {
  return state.state === "failed" && state.failure.code === "connection_lost";
}

/**
 * Uploads the file and reports its progress and failure. Null if it failed, was cancelled, or belongs to a
 * conversation that has left the screen.
 */
async function runUpload(
  runtime: ChatRuntime,
  started: Upload,
  signal: AbortSignal,
  change: (change: Change) => void,
): Promise<ChatFile | null> {
  // Another conversation may be on screen shortly before this upload is cancelled; its draft must not get the
  // file.
  const { createKey } = runtime.getState();
  const isLeft = () => signal.aborted || runtime.getState().createKey !== createKey;
  let upload: Upload = { ...started, progress: 0 };
  const report = (state: Upload["state"]) => change({ type: "put", upload: { ...upload, state } });
  report({ state: "uploading" });
  try {
    const file = await shrinkPicture(started.file);
    if (isLeft()) return null;
    upload = { ...upload, file };
    const fault = attachmentFault(file, 0);
    if (fault !== null) {
      report({ state: "refused", fault });
      return null;
    }
    const stored = await uploadFile(runtime, upload, signal, (progress) =>
      change({ type: "progress", key: upload.key, progress }),
    );
    return isLeft() ? null : stored;
  } catch (error) {
    if (signal.aborted) return null;
    const failure = failureOf(error);
    if (!isLeft()) showEnd(runtime, runtime.getState(), failure);
    report({ state: "failed", failure });
    return null;
  }
}
