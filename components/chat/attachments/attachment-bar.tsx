import { limits } from "../../../lib/chat-api/limits.ts";
import type { RemedyButton } from "../../../lib/engine/remedies.ts";
import { shownName } from "../../../lib/engine/shown.ts";
import { attachmentsOf } from "../../../lib/engine/state/attachments.ts";
import type { Upload } from "../../../lib/engine/state/state.ts";
import { useChatContext, useChatState } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import { fill } from "../i18n/strings.ts";
import styles from "./attachments.module.css";
import { AttachedChip, LostChip, UploadChip } from "./chips.tsx";

export interface AttachmentBarProps {
  /** Lets the customer choose another file. */
  onChoose(): void;
}

/** The files of the next message: attached, uploading, failed and to be chosen again. */
export function AttachmentBar({ onChoose }: AttachmentBarProps) {
  const { chat, t, format } = useChatContext();
  const uploads = useChatState(chat, (state) => state.uploads);
  const draft = useChatState(chat, (state) => state.draft);
  const attachments = attachmentsOf({ draft, uploads });
  const unsendable =
    draft.lost[0] ??
    uploads.find(({ state: { state } }) => state === "refused" || state === "failed")?.file.name;
  const problem =
    draft.files.length > limits.filesPerMessage
      ? fill(t.attachments.overLimit, { limit: format.number(limits.filesPerMessage) })
      : unsendable !== undefined &&
        fill(t.attachments.held, { name: shownName(unsendable, t.files.unnamed) });

  function press(button: RemedyButton, upload: Upload): void {
    if (button === "try_again") chat.retryUpload(upload.key);
    else if (button === "new_chat") chat.startOver();
    else {
      chat.detach({ kind: "upload", upload });
      onChoose();
    }
  }

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
        {attachments.map((attachment, index) => {
          const onRemove = () => chat.detach(attachment);
          if (attachment.kind === "file")
            return <AttachedChip key={attachment.file.id} file={attachment.file} onRemove={onRemove} />;
          if (attachment.kind === "lost")
            return (
              <LostChip
                // biome-ignore lint/suspicious/noArrayIndexKey: a phone may give all photos the same name
                key={`${index} ${attachment.name}`}
                filename={attachment.name}
                onChoose={onChoose}
                onRemove={onRemove}
              />
            );
          const { upload } = attachment;
          return (
            <UploadChip
              key={upload.key}
              upload={upload}
              onPress={(button) => press(button, upload)}
              onRemove={onRemove}
            />
          );
        })}
      </ul>
    </div>
  );
}
