/** Uploads the chosen files of the conversation on screen. */
import { errorRules } from "../../chat-api/errors.ts";
import { mediaTypeOfFile, signatureBytes } from "../../chat-api/file-types.ts";
import type { ChatClient } from "../../chat-client/client.ts";
import type { Fetch } from "../../chat-client/connection.ts";
import type { DeliveryLoop } from "../delivery/delivery-loop.ts";
import { type RepeatDeps, repeatWrite } from "../delivery/repeat-write.ts";
import { newKey } from "../new-key.ts";
import { keepsKey } from "../outbox/outbox.ts";
import type { OwnerParts } from "../owner-parts.ts";
import { attachmentProblem, attachmentsOf } from "../state/attachments.ts";
import type { Upload } from "../state/state.ts";
import type { ShownDraft } from "./shown-draft.ts";

export interface UploadsDeps
  extends RepeatDeps,
    Pick<OwnerParts, "browser" | "store" | "showEnd" | "locale"> {
  draft: ShownDraft;
  /** A client that sends through this function. */
  clientWith(send: Fetch): Pick<ChatClient, "uploadFile">;
  /** Creates the chats of messages and files. */
  delivery: Pick<DeliveryLoop, "newChat" | "renewCreateKey">;
}

/** The file with the media type that it has, or with none. One that cannot be read has its declared type. */
async function withMediaType(file: File): Promise<File> {
  const read = file.slice(0, signatureBytes).arrayBuffer();
  const head = new Uint8Array(await read.catch(() => new ArrayBuffer(0)));
  const type = mediaTypeOfFile({ name: file.name, type: file.type, head }) ?? "";
  return type === file.type ? file : new File([file], file.name, { type });
}

export function createUploads(deps: UploadsDeps) {
  const { browser, store, draft } = deps;
  /** Uploads in progress, by key. */
  const running = new Map<string, AbortController>();

  const all = () => store.getState().uploads;

  function replace(key: string, changed: Partial<Upload>, isFrequent = false): void {
    const uploads = all().map((upload) => (upload.key === key ? { ...upload, ...changed } : upload));
    store.set({ uploads }, isFrequent);
  }

  async function start(upload: Upload): Promise<void> {
    const cancel = new AbortController();
    running.set(upload.key, cancel);
    replace(upload.key, { progress: 0, state: { state: "uploading" } });
    await run(upload, cancel.signal);
    if (running.get(upload.key) === cancel) running.delete(upload.key);
  }

  /** Returns the chat's ID. Creates the chat if there is none: two uploads create one, under one key. */
  async function requireChat(isSecond = false): Promise<string> {
    const conversation = store.conversation();
    if (conversation.chatId !== null) return conversation.chatId;
    const { newChat, renewCreateKey } = deps.delivery;
    try {
      return await newChat(conversation, deps.locale());
    } catch (error) {
      if (isSecond || errorRules[deps.failureOf(error).code].ends !== "key") throw error;
      // Another upload may have renewed it.
      if (store.conversation().createKey === conversation.createKey) renewCreateKey(conversation);
      return requireChat(true);
    }
  }

  /** Checks and uploads the file, and adds it to the draft. Its state shows the outcome. Never rejects. */
  async function run({ key, file }: Upload, signal: AbortSignal): Promise<void> {
    const end = (state: Upload["state"]) => {
      if (!signal.aborted) replace(key, { state });
    };
    const earlier = all().slice(
      0,
      all().findIndex((one) => one.key === key),
    );
    const before = earlier.filter(({ state }) => state.state === "uploading").length;
    try {
      const chosen = await withMediaType(file);
      const problem = attachmentProblem(chosen, draft.get().files.length + before);
      // A picture that is too large may shrink.
      if (problem !== null && problem !== "too_large") return end({ state: "refused", problem });
      const bytes = await browser.shrinkPicture(chosen);
      const remaining = attachmentProblem(bytes, 0);
      if (remaining !== null) return end({ state: "refused", problem: remaining });
      const onProgress = (sent: number, total: number) => {
        if (!signal.aborted) replace(key, { progress: total === 0 ? 0 : sent / total }, true);
      };
      const body = { bytes, filename: bytes.name, mediaType: bytes.type };
      const client = deps.clientWith(browser.fetchWithProgress(onProgress));
      const { item } = await repeatWrite(
        { ...deps, signal },
        async () => client.uploadFile(await requireChat(), body, { idempotencyKey: key, signal }),
        (waiting) => {
          if (!signal.aborted) replace(key, { progress: 0, state: { state: "uploading", waiting } });
        },
      );
      if (signal.aborted) return;
      // At once: a subscriber may send the draft as soon as no upload is left.
      store.batch(() => {
        end({ state: "attached", fileId: item.id });
        const now = draft.get();
        const files = attachmentsOf({ draft: { ...now, files: [...now.files, item] }, uploads: all() });
        draft.set({ ...now, files: files.flatMap((one) => (one.kind === "file" ? [one.file] : [])) });
      });
    } catch (error) {
      if (signal.aborted) return;
      const failure = deps.failureOf(error);
      deps.showEnd(store.conversation(), failure);
      end({ state: "failed", failure });
    }
  }

  function retry(upload: Upload): void {
    const isKept = upload.state.state === "failed" && keepsKey(upload.state.failure);
    const again = { ...upload, key: isKept ? upload.key : newKey() };
    replace(upload.key, again);
    void start(again);
  }

  return {
    /** Starts the uploads of files that were just chosen. */
    startNew() {
      for (const upload of all())
        if (upload.state.state === "uploading" && !running.has(upload.key)) void start(upload);
    },
    retry(key: string) {
      const upload = all().find((one) => one.key === key);
      if (upload !== undefined) retry(upload);
    },
    /** Starts uploads again that have failed because nothing answered. */
    onOnline() {
      for (const upload of all())
        if (upload.state.state === "failed" && errorRules[upload.state.failure.code].isUnreachable)
          retry(upload);
    },
    cancel: (key: string) => running.get(key)?.abort(),
    cancelAll() {
      for (const cancel of running.values()) cancel.abort();
      running.clear();
    },
  };
}
