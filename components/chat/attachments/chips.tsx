import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { limits } from "../../../lib/chat-api/limits.ts";
import type { File as ChatFile } from "../../../lib/chat-api/message.ts";
import type { Failure } from "../../../lib/engine/failure.ts";
import { generalRemedy, type Remedy, type RemedyButton, remedyFor } from "../../../lib/engine/remedies.ts";
import { shownName } from "../../../lib/engine/shown.ts";
import { type Attachment, isPicture } from "../../../lib/engine/state/attachments.ts";
import type { Upload } from "../../../lib/engine/state/state.ts";
import { type ChatContextValue, useChatContext } from "../chat-context.ts";
import { Button, IconButton } from "../controls/buttons.tsx";
import controls from "../controls/controls.module.css";
import { Hidden } from "../controls/hidden.tsx";
import { Icon } from "../controls/icons.tsx";
import { PlainPicture } from "../controls/plain-picture.tsx";
import { RemedyNote } from "../errors/remedy-note.tsx";
import { useWaitingLabel, WaitingStatus } from "../errors/waiting.tsx";
import { intl } from "../format/format.ts";
import { fill } from "../i18n/strings.ts";
import styles from "./attachments.module.css";

export interface AttachmentChipProps {
  attachment: Attachment;
  /** Lets the customer choose another file. */
  onChoose(): void;
}

/** A file of the next message. */
export function AttachmentChip({ attachment, onChoose }: AttachmentChipProps) {
  const { t, format } = useChatContext();
  if (attachment.kind === "upload") return <UploadChip upload={attachment.upload} onChoose={onChoose} />;
  if (attachment.kind === "file") {
    const { file } = attachment;
    return (
      <Chip attachment={attachment} name={file.filename} thumbnail={<Thumbnail file={file} />}>
        <span>{format.bytes(file.byteSize)}</span>{" "}
        <Hidden>{fill(t.attachments.ready, { name: shownName(file.filename, t.files.unnamed) })}</Hidden>
      </Chip>
    );
  }
  // The upload did not finish, and the page cannot read the file again by itself.
  return (
    <Chip attachment={attachment} name={attachment.name} state="failed">
      <div>
        <span role="alert">{t.attachments.lost}</span>{" "}
        <Button look="link" onClick={onChoose}>
          {t.buttons.attach_again}
        </Button>
      </div>
    </Chip>
  );
}

interface ChipProps {
  attachment: Attachment;
  name: string;
  state?: Upload["state"]["state"];
  /** Absent of a file that cannot be sent. */
  thumbnail?: ReactNode;
  children: ReactNode;
}

function Chip({ attachment, name, state, thumbnail, children }: ChipProps) {
  const { chat, t } = useChatContext();
  const shown = shownName(name, t.files.unnamed);
  const removal = state === "uploading" ? t.attachments.cancel : t.attachments.remove;
  return (
    <li className={styles["chip"]} data-state={state}>
      {thumbnail ?? (
        <span className={styles["thumbnail"]}>
          <Icon name="warning" />
        </span>
      )}
      <div className={styles["name"]}>
        <bdi>{shown}</bdi> {children}
      </div>
      <IconButton
        label={fill(removal, { name: shown })}
        icon={<Icon name="close" size={16} />}
        onClick={() => chat.detach(attachment)}
      />
    </li>
  );
}

/** A file that is uploading, or whose upload failed. */
function UploadChip({ upload, onChoose }: { upload: Upload; onChoose(): void }) {
  const context = useChatContext();
  const { chat, t, format } = context;
  const { file, state, progress } = upload;
  const isUploading = state.state === "uploading";
  const waiting = isUploading ? (state.waiting ?? null) : null;
  const waitingLabel = useWaitingLabel(waiting);
  const percent = intl(Intl.NumberFormat, format.locale, { style: "percent" }).format(progress);
  const attachment = { kind: "upload", upload } as const;

  function press(button: RemedyButton): void {
    if (button === "try_again") chat.retryUpload(upload.key);
    else {
      chat.detach(attachment);
      onChoose();
    }
  }

  return (
    <Chip
      attachment={attachment}
      name={file.name}
      state={state.state}
      thumbnail={isUploading ? <Thumbnail local={file} /> : null}
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
          aria-label={fill(t.attachments.uploading, { name: shownName(file.name, t.files.unnamed), percent })}
        />
      ) : state.state === "failed" ? (
        <RemedyNote failure={state.failure} remedy={remedyOfUpload(state.failure)} onPress={press} />
      ) : (
        <div role="alert">{problemText(upload, context)}</div>
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

/** A small picture of a file, from the local bytes or from the server. */
function Thumbnail({ file, local }: { file?: ChatFile; local?: File }) {
  const { chat } = useChatContext();
  const image = useRef<HTMLImageElement>(null);
  const [failed, setFailed] = useState<string | File | null>(null);
  const type = file?.mediaType ?? local?.type ?? "";
  const shown = file?.id ?? local ?? null;
  useLocalPicture(image, file === undefined ? local : undefined);
  return (
    <span className={styles["thumbnail"]}>
      {isPicture(type) && shown !== failed ? (
        <PlainPicture
          ref={image}
          src={file && chat.fileUrl(file)}
          alt=""
          width={40}
          height={40}
          onError={() => setFailed(shown)}
        />
      ) : (
        <Icon name={isPicture(type) ? "picture" : "file"} />
      )}
    </span>
  );
}

function useLocalPicture(image: RefObject<HTMLImageElement | null>, local: File | undefined): void {
  useEffect(() => {
    if (local === undefined || image.current === null) return;
    const address = URL.createObjectURL(local);
    image.current.setAttribute("src", address);
    return () => URL.revokeObjectURL(address);
  }, [image, local]);
}
