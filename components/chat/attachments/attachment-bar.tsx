import { limits } from "../../../lib/chat-api/limits.ts";
import { shownName } from "../../../lib/engine/shown.ts";
import { type Attachment, attachmentsOf } from "../../../lib/engine/state/attachments.ts";
import { useChatContext, useChatState } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import { fill } from "../i18n/strings.ts";
import styles from "./attachments.module.css";
import { AttachmentChip } from "./chips.tsx";

/** The files of the next message: attached, uploading, failed and to be chosen again. */
export function AttachmentBar({ onChoose }: { onChoose(): void }) {
  const { chat, t, format } = useChatContext();
  const uploads = useChatState(chat, (state) => state.uploads);
  const draft = useChatState(chat, (state) => state.draft);
  const unsendable =
    draft.lost[0] ??
    uploads.find(({ state: { state } }) => state === "refused" || state === "failed")?.file.name;
  const problem =
    draft.files.length > limits.filesPerMessage
      ? fill(t.attachments.overLimit, { limit: format.number(limits.filesPerMessage) })
      : unsendable !== undefined &&
        fill(t.attachments.held, { name: shownName(unsendable, t.files.unnamed) });
  return (
    <div className={styles["bar"]}>
      <p role="alert">
        {problem !== false && (
          <>
            <Icon name="warning" size={16} />
            {problem}
          </>
        )}
      </p>
      <ul aria-label={t.attachments.label}>
        {attachmentsOf({ draft, uploads }).map((attachment, index) => (
          <AttachmentChip key={keyOf(attachment, index)} attachment={attachment} onChoose={onChoose} />
        ))}
      </ul>
    </div>
  );
}

/** A phone may give all photos the same name. */
function keyOf(attachment: Attachment, index: number): string {
  if (attachment.kind === "lost") return `${index} ${attachment.name}`;
  return attachment.kind === "file" ? attachment.file.id : attachment.upload.key;
}
