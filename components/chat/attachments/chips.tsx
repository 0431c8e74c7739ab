import type { ReactNode } from "react";
import type { File as ChatFile } from "../../../lib/chat-api/file.ts";
import { limits } from "../../../lib/chat-api/limits.ts";
import type { Failure } from "../../../lib/engine/failure.ts";
import { generalRemedy, type Remedy, type RemedyButton, remedyFor } from "../../../lib/engine/remedies.ts";
import { shownName } from "../../../lib/engine/shown.ts";
import type { Upload } from "../../../lib/engine/state/state.ts";
import { type ChatContextValue, useChatContext } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { Hidden } from "../controls/hidden.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import controls from "../controls/progress.module.css";
import { RemedyNote } from "../errors/remedy-note.tsx";
import { useWaitingLabel, WaitingStatus } from "../errors/waiting-label.tsx";
import { intl } from "../format/intl.ts";
import { fill } from "../i18n/strings.ts";
import styles from "./attachments.module.css";
import { Thumbnail } from "./thumbnail.tsx";

interface ChipProps {
  name: string;
  state?: Upload["state"]["state"];
  /** Absent of a file that cannot be sent. */
  thumbnail?: ReactNode;
  /** Label of the remove button, with the placeholder `{name}`. */
  removal: string;
  onRemove(): void;
  children: ReactNode;
}

function Chip({ name, state, thumbnail, removal, onRemove, children }: ChipProps) {
  return (
    <li className={styles["chip"]} data-state={state}>
      {thumbnail ?? (
        <span className={styles["thumbnail"]}>
          <Icon name="warning" />
        </span>
      )}
      <div className={styles["name"]}>
        <bdi>{name}</bdi> {children}
      </div>
      <IconButton label={fill(removal, { name })} icon={<Icon name="close" size={16} />} onClick={onRemove} />
    </li>
  );
}

/** A file that goes with the next message. */
export function AttachedChip({ file, onRemove }: { file: ChatFile; onRemove(): void }) {
  const { t, format } = useChatContext();
  const name = shownName(file.filename, t.files.unnamed);
  const thumbnail = <Thumbnail file={file} />;
  return (
    <Chip name={name} thumbnail={thumbnail} removal={t.attachments.remove} onRemove={onRemove}>
      <span>{format.bytes(file.byteSize)}</span> <Hidden>{fill(t.attachments.ready, { name })}</Hidden>
    </Chip>
  );
}

export interface LostChipProps {
  filename: string;
  onChoose(): void;
  onRemove(): void;
}

/**
 * A chosen file whose upload did not finish. The page cannot read it again until the customer chooses it
 * again.
 */
export function LostChip({ filename, onChoose, onRemove }: LostChipProps) {
  const { t } = useChatContext();
  const name = shownName(filename, t.files.unnamed);
  return (
    <Chip name={name} state="failed" removal={t.attachments.remove} onRemove={onRemove}>
      <div>
        <span role="alert">{t.attachments.lost}</span>{" "}
        <Button look="link" onClick={onChoose}>
          {t.buttons.attach_again}
        </Button>
      </div>
    </Chip>
  );
}

export interface UploadChipProps {
  upload: Upload;
  onPress(button: RemedyButton): void;
  onRemove(): void;
}

/** A file that is uploading, or whose upload failed. */
export function UploadChip({ upload, onPress, onRemove }: UploadChipProps) {
  const chat = useChatContext();
  const { t, format } = chat;
  const { file, state, progress } = upload;
  const name = shownName(file.name, t.files.unnamed);
  const isUploading = state.state === "uploading";
  const waiting = isUploading ? (state.waiting ?? null) : null;
  const waitingLabel = useWaitingLabel(waiting);
  const percent = intl(Intl.NumberFormat, format.locale, { style: "percent" }).format(progress);
  return (
    <Chip
      name={name}
      state={state.state}
      thumbnail={isUploading ? <Thumbnail local={file} /> : null}
      removal={isUploading ? t.attachments.cancel : t.attachments.remove}
      onRemove={onRemove}
    >
      {waiting ? (
        <div>
          {waitingLabel}
          <WaitingStatus waiting={waiting} />
        </div>
      ) : isUploading ? (
        <progress
          className={controls["progress"]}
          value={progress}
          max={1}
          aria-label={fill(t.attachments.uploading, { name, percent })}
        />
      ) : state.state === "failed" ? (
        <RemedyNote failure={state.failure} remedy={remedyOfUpload(state.failure)} onPress={onPress} />
      ) : (
        <div role="alert">{problemText(upload, chat)}</div>
      )}
    </Chip>
  );
}

/** Offers to choose another file where the error code's remedy is to edit: a file cannot be edited here. */
function remedyOfUpload(failure: Failure): Remedy {
  const own = remedyFor(failure);
  if (own.button !== "edit") return own;
  const { text } = own.text === "field_refused" ? generalRemedy : own;
  return { ...own, text, button: "choose_file" };
}

function problemText({ state }: Upload, { t, format }: ChatContextValue): string {
  if (state.state !== "refused") return "";
  switch (state.problem) {
    case "wrong_type":
      return t.remedies.wrong_file_type;
    case "too_large":
      return fill(t.attachments.tooLarge, { limit: format.bytes(limits.fileBytes) });
    case "empty":
      return t.attachments.empty;
    case "too_many":
      return fill(t.attachments.tooMany, { limit: format.number(limits.filesPerMessage) });
  }
}
