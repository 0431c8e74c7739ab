import { useEffect, useEffectEvent, useRef } from "react";
import type { File as ChatFile } from "#lib/chat-api/file.ts";
import { limits } from "#lib/chat-api/limits.ts";
import type { RemedyButton } from "#lib/conversation/remedies.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { type ChatContextValue, useChat, useDraft } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import { fill } from "../i18n/strings.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import styles from "./attachments.module.css";
import { Thumbnail } from "./thumbnail.tsx";
import { type Upload, useUploads } from "./use-uploads.ts";

export interface AttachmentBarProps {
  runtime: ChatRuntime;
  state: ConversationState;
  /** Files that were chosen, pasted or dropped; each new array is taken over once. */
  incoming: readonly File[];
  onBusy(isBusy: boolean): void;
  /** Lets the customer choose another file. */
  onChoose(): void;
}

/** What goes with the next message: files that are attached, and those on their way. */
export function AttachmentBar({ runtime, state, incoming, onBusy, onChoose }: AttachmentBarProps) {
  const { t } = useChat();
  const { files } = useDraft(runtime);
  const { uploads, add, retry, remove } = useUploads(runtime, state);
  const taken = useRef<readonly File[]>([]);
  const takeOver = useEffectEvent(() => {
    if (taken.current !== incoming) add(incoming);
    taken.current = incoming;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new array is taken over once
  useEffect(() => takeOver(), [incoming]);

  const isBusy = uploads.some((upload) => upload.state.state === "uploading");
  useEffect(() => {
    onBusy(isBusy);
    return () => onBusy(false);
  }, [isBusy, onBusy]);

  function detach(file: ChatFile): void {
    const draft = runtime.getDraft();
    runtime.setDraft({ ...draft, files: draft.files.filter(({ id }) => id !== file.id) });
  }

  function press(button: RemedyButton, upload: Upload): void {
    switch (button) {
      case "try_again":
      case "upload_again":
        retry(upload);
        break;
      case "new_chat":
        // Files belong to the chat that they were uploaded to.
        runtime.open(null, { ...runtime.getDraft(), files: [] });
        break;
      case "reload_page":
        window.location.reload();
        break;
      default:
        remove(upload);
        onChoose();
    }
  }

  if (files.length === 0 && uploads.length === 0) return null;
  return (
    <ul className={styles["bar"]} aria-label={t.attachments.label}>
      {files.map((file) => (
        <AttachedChip key={file.id} file={file} onRemove={() => detach(file)} />
      ))}
      {uploads.map((upload) => (
        <UploadChip
          key={upload.key}
          upload={upload}
          onPress={(button) => press(button, upload)}
          onRemove={() => remove(upload)}
        />
      ))}
    </ul>
  );
}

function AttachedChip({ file, onRemove }: { file: ChatFile; onRemove(): void }) {
  const { t, format } = useChat();
  return (
    <li className={styles["chip"]}>
      <Thumbnail file={file} />
      <p className={styles["name"]}>
        <bdi>{file.filename}</bdi>
        <span>{format.bytes(file.byteSize)}</span>
        <Hidden>{fill(t.attachments.ready, { name: file.filename })}</Hidden>
      </p>
      <IconButton
        label={fill(t.attachments.remove, { name: file.filename })}
        icon={<Icon name="close" size={16} />}
        onClick={onRemove}
      />
    </li>
  );
}

interface UploadChipProps {
  upload: Upload;
  onPress(button: RemedyButton): void;
  onRemove(): void;
}

function UploadChip({ upload, onPress, onRemove }: UploadChipProps) {
  const chat = useChat();
  const { t, format } = chat;
  const { name } = upload.file;
  const isUploading = upload.state.state === "uploading";
  const percent = format.percent(upload.progress);
  return (
    <li className={styles["chip"]} data-state={upload.state.state}>
      <Thumbnail local={upload.file} />
      <div className={styles["name"]}>
        <bdi>{name}</bdi>
        {isUploading ? (
          <progress
            value={upload.progress}
            max={1}
            aria-label={fill(t.attachments.uploading, { name, percent })}
          />
        ) : (
          <div role="alert">
            {upload.state.state === "failed" ? (
              <RemedyNote failure={upload.state.failure} onPress={onPress} />
            ) : (
              faultText(upload, chat)
            )}
          </div>
        )}
      </div>
      <IconButton
        label={fill(isUploading ? t.attachments.cancel : t.attachments.remove, { name })}
        icon={<Icon name="close" size={16} />}
        onClick={onRemove}
      />
    </li>
  );
}

function faultText({ file, state }: Upload, { t, format }: ChatContextValue): string {
  if (state.state !== "refused") return "";
  const { name } = file;
  switch (state.fault) {
    case "wrong_type":
      return t.remedies.wrong_file_type;
    case "too_large":
      return fill(t.attachments.tooLarge, {
        size: format.bytes(file.size),
        limit: format.bytes(limits.fileBytes),
      });
    case "empty":
      return fill(t.attachments.empty, { name });
    case "too_many":
      return fill(t.attachments.tooMany, { limit: format.number(limits.filesPerMessage), name });
    case "no_room":
      return t.remedies.storage_full;
  }
}
