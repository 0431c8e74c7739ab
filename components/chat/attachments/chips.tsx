import type { File as ChatFile } from "../../../lib/chat-api/file.ts";
import { limits } from "../../../lib/chat-api/limits.ts";
import { shownName } from "../../../lib/conversation/attachments.ts";
import type { Failure } from "../../../lib/conversation/failure.ts";
import {
  generalRemedy,
  type Remedy,
  type RemedyButton,
  remedyFor,
} from "../../../lib/conversation/remedies.ts";
import { type ChatContextValue, useChat } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { Hidden } from "../controls/hidden.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import { bytesOf } from "../format/bytes.ts";
import { fill } from "../i18n/strings.ts";
import styles from "./attachments.module.css";
import { Thumbnail } from "./thumbnail.tsx";
import type { Upload } from "./use-uploads.ts";

/** A file that goes with the next message. */
export function AttachedChip({ file, onRemove }: { file: ChatFile; onRemove(): void }) {
  const { t, format } = useChat();
  const name = shownName(file.filename, t.files.unnamed);
  return (
    <li className={styles["chip"]}>
      <Thumbnail file={file} />
      <p className={styles["name"]}>
        <bdi>{name}</bdi> <span>{bytesOf(file.byteSize, format.locale)}</span>{" "}
        <Hidden>{fill(t.attachments.ready, { name })}</Hidden>
      </p>
      <IconButton
        label={fill(t.attachments.remove, { name })}
        icon={<Icon name="close" size={16} />}
        onClick={onRemove}
      />
    </li>
  );
}

export interface LostChipProps {
  name: string;
  onChoose(): void;
  onRemove(): void;
}

/** A file that is not attached although the customer chose it. The browser does not give it out again. */
export function LostChip({ name: filename, onChoose, onRemove }: LostChipProps) {
  const { t } = useChat();
  const name = shownName(filename, t.files.unnamed);
  return (
    <li className={styles["chip"]} data-state="failed">
      <Thumbnail />
      <div className={styles["name"]}>
        <bdi>{name}</bdi>
        <div role="alert">{t.attachments.lost}</div>
        <Button look="primary" onClick={onChoose}>
          {t.buttons.attach_again}
        </Button>
      </div>
      <IconButton
        label={fill(t.attachments.remove, { name })}
        icon={<Icon name="close" size={16} />}
        onClick={onRemove}
      />
    </li>
  );
}

export interface UploadChipProps {
  upload: Upload;
  onPress(button: RemedyButton): void;
  onRemove(): void;
}

/** A file that is uploading, or whose upload failed. */
export function UploadChip({ upload, onPress, onRemove }: UploadChipProps) {
  const chat = useChat();
  const { t, format } = chat;
  const name = shownName(upload.file.name, t.files.unnamed);
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
        ) : upload.state.state === "failed" ? (
          <RemedyNote
            failure={upload.state.failure}
            remedy={remedyOfUpload(upload.state.failure)}
            onPress={onPress}
          />
        ) : (
          <div role="alert">{faultText(upload, chat)}</div>
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

/** A file cannot be edited here. */
function remedyOfUpload(failure: Failure): Remedy {
  const own = remedyFor(failure);
  if (own.button !== "edit") return own;
  const { text } = own.text === "field_refused" ? generalRemedy : own;
  return { ...own, text, button: "choose_file" };
}

function faultText({ state }: Upload, { t, format }: ChatContextValue): string {
  if (state.state !== "refused") return "";
  switch (state.fault) {
    case "wrong_type":
      return t.remedies.wrong_file_type;
    case "too_large":
      return fill(t.attachments.tooLarge, { limit: bytesOf(limits.fileBytes, format.locale) });
    case "empty":
      return t.attachments.empty;
    case "too_many":
      return fill(t.attachments.tooMany, { limit: format.number(limits.filesPerMessage) });
  }
}
