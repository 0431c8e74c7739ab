import { useEffect, useEffectEvent, useRef } from "react";
import type { File as ChatFile } from "../../../lib/chat-api/file.ts";
import { limits } from "../../../lib/chat-api/limits.ts";
import type { ChatRuntime } from "../../../lib/engine/chat-runtime.ts";
import { withoutNames } from "../../../lib/engine/chats/draft.ts";
import type { RemedyButton } from "../../../lib/engine/remedies.ts";
import { insertByPosition, shownName } from "../../../lib/engine/uploads/attachments.ts";
import { useChat, useDraft } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";
import styles from "./attachments.module.css";
import { AttachedChip, LostChip, UploadChip } from "./chips.tsx";
import { type Upload, useUploads } from "./use-uploads.ts";

export interface AttachmentBarProps {
  runtime: ChatRuntime;
  /** Files that the customer chose, pasted or dropped. */
  incoming: readonly File[];
  /** True once this bar or an earlier one has begun to upload these files. */
  isTaken: boolean;
  onTaken(): void;
  /** Reports whether unfinished, refused or failed uploads keep the message from being sent. */
  onHold(isHeld: boolean): void;
  /** Lets the customer choose another file. */
  onChoose(): void;
}

/** Uploads the incoming files, each array once. */
function useTakenOver(
  { incoming, isTaken, onTaken }: Pick<AttachmentBarProps, "incoming" | "isTaken" | "onTaken">,
  add: (files: readonly File[]) => void,
): void {
  const taken = useRef<readonly File[]>([]);
  const takeOver = useEffectEvent(() => {
    if (isTaken || taken.current === incoming) return;
    taken.current = incoming;
    add(incoming);
    onTaken();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new array is taken over once
  useEffect(() => {
    takeOver();
    // Unmounting cancels the uploads. React's strict mode then mounts the bar again, which uploads the files
    // again.
    return () => {
      taken.current = [];
    };
  }, [incoming]);
}

/** The files of the next message: attached, uploading, failed and to be chosen again. */
export function AttachmentBar({ runtime, incoming, isTaken, onTaken, onHold, onChoose }: AttachmentBarProps) {
  const { t, format } = useChat();
  const { files, lost } = useDraft(runtime);
  const { uploads, positionOf, add, retry, remove } = useUploads(runtime);
  useTakenOver({ incoming, isTaken, onTaken }, add);
  const isHeld = uploads.length > 0;
  useEffect(() => {
    onHold(isHeld);
    return () => onHold(false);
  }, [isHeld, onHold]);

  function detach(file: ChatFile): void {
    const draft = runtime.draft.get();
    runtime.draft.set({ ...draft, files: draft.files.filter(({ id }) => id !== file.id) });
  }

  function forget(name: string): void {
    const draft = runtime.draft.get();
    runtime.draft.set({ ...draft, lost: withoutNames(draft.lost, [name]) });
  }

  function press(button: RemedyButton, upload: Upload): void {
    switch (button) {
      case "try_again":
        retry(upload);
        break;
      case "new_chat":
        runtime.chats.startOver();
        break;
      default:
        remove(upload);
        onChoose();
    }
  }

  const lostChips = lost.map((name, index) => {
    // A phone may give all photos the same name, so the key counts equal names.
    const nth = lost.slice(0, index).filter((each) => each === name).length;
    return (
      <LostChip key={`${nth} ${name}`} filename={name} onChoose={onChoose} onRemove={() => forget(name)} />
    );
  });
  const chips = uploads.reduce(
    (before, upload) =>
      insertByPosition(before, {
        position: upload.position,
        chip: (
          <UploadChip
            key={upload.key}
            upload={upload}
            onPress={(button) => press(button, upload)}
            onRemove={() => remove(upload)}
          />
        ),
      }),
    files.map((file) => ({
      position: positionOf(file),
      chip: <AttachedChip key={file.id} file={file} onRemove={() => detach(file)} />,
    })),
  );
  const unsendable = lost[0] ?? uploads.find(({ state }) => state.state !== "uploading")?.file.name;
  if (chips.length + lost.length === 0) return null;
  return (
    <div className={styles["bar"]}>
      <p role="alert">
        {files.length > limits.filesPerMessage
          ? fill(t.attachments.overLimit, { limit: format.number(limits.filesPerMessage) })
          : unsendable !== undefined &&
            fill(t.attachments.held, { name: shownName(unsendable, t.files.unnamed) })}
      </p>
      <ul aria-label={t.attachments.label}>
        {lostChips}
        {chips.map(({ chip }) => chip)}
      </ul>
    </div>
  );
}
