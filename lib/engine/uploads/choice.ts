/** The files that the customer chooses for the next message. `uploads.ts` uploads them. */
import { withLost, withoutNames } from "../chats/draft.ts";
import { newKey } from "../new-key.ts";
import type { OwnerParts } from "../owner-parts.ts";
import { type Attachment, unfinishedNames } from "../state/attachments.ts";
import type { Upload } from "../state/state.ts";
import { uploadsName } from "../storage-names.ts";
import type { ShownDraft } from "./shown-draft.ts";
import type { createUploads } from "./uploads.ts";

export interface ChoiceDeps extends Pick<OwnerParts, "owner" | "store" | "tab"> {
  draft: Pick<ShownDraft, "get" | "set">;
  uploads: Pick<ReturnType<typeof createUploads>, "startNew" | "cancel" | "cancelAll">;
}

/** A file keeps its key: a request that reached the server is not applied twice. */
export type ChosenFile = Pick<Upload, "key" | "file">;

export function createChoice({ owner, store, draft, tab, uploads }: ChoiceDeps) {
  /** The uploads whose names are stored. */
  let stored: readonly Upload[] = [];

  const all = () => store.getState().uploads;

  function clear(): void {
    uploads.cancelAll();
    if (all().length > 0) store.set({ uploads: [] });
    // At once: a chat that closes hears of no further change.
    storeNames();
  }

  /** Stores the names of unfinished uploads, which the next page marks as lost. */
  function storeNames(): void {
    if (stored === all()) return;
    stored = all();
    const { chatId, createKey } = store.conversation();
    const names = unfinishedNames(stored);
    const entry = names.length === 0 ? null : JSON.stringify({ chatId, createKey, names });
    // Called on each progress event of an upload.
    if (entry !== tab.read(uploadsName(owner))) tab.write(uploadsName(owner), entry);
  }

  function upload(files: readonly ChosenFile[]): void {
    const before = draft.get();
    const names = files.map(({ file }) => file.name);
    // A file chosen again is no longer lost.
    draft.set({ ...before, lost: withoutNames(before.lost, names) });
    const state = { state: "uploading" } as const;
    const added = files.map(({ key, file }): Upload => ({ key, file, progress: 0, state }));
    // At once: the message cannot be sent without them.
    store.set({ uploads: [...all(), ...added] });
    uploads.startNew();
  }

  return {
    upload,
    /** Uploads the files that were chosen. */
    attach: (files: readonly File[]) => upload(files.map((file) => ({ key: newKey(), file }))),
    /** The draft names the files, which the customer has to choose again. */
    nameLost(files: readonly File[]) {
      const before = draft.get();
      const names = files.map(({ name }) => name);
      draft.set(withLost({ ...before, lost: withoutNames(before.lost, names) }, names));
    },
    /** Cancels an upload, or removes a file or the note on one. */
    detach(attachment: Attachment) {
      const before = draft.get();
      if (attachment.kind === "lost")
        draft.set({ ...before, lost: withoutNames(before.lost, [attachment.name]) });
      else if (attachment.kind === "file")
        draft.set({ ...before, files: before.files.filter(({ id }) => id !== attachment.file.id) });
      else {
        const { key } = attachment.upload;
        uploads.cancel(key);
        store.set({ uploads: all().filter((upload) => upload.key !== key) });
      }
    },
    /** The draft's files have been sent. */
    clearAttached: () => store.set({ uploads: all().filter(({ state }) => state.state !== "attached") }),
    onState: storeNames,
    /**
     * Ends the uploads, for a conversation that leaves the screen: its draft names the files that the
     * customer must choose again.
     */
    endUploads() {
      const lost = unfinishedNames(all());
      clear();
      if (lost.length > 0) draft.set(withLost(draft.get(), lost));
    },
    /** Ends the uploads and returns the files that are not attached, also those that were refused. */
    takeFiles(): readonly ChosenFile[] {
      const files = all().filter(({ state }) => state.state !== "attached");
      clear();
      return files;
    },
  };
}
