import { useLayoutEffect, useRef, useState } from "react";
import type { File } from "../../../lib/chat-api/message.ts";
import { shownName } from "../../../lib/engine/shown.ts";
import { useChatContext } from "../chat-context.ts";
import { Button, IconButton } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";
import { PlainPicture } from "../controls/plain-picture.tsx";
import styles from "./files.module.css";
import { saveFile } from "./save-file.ts";
import { usePicture } from "./use-picture.ts";

export interface LightboxProps {
  file: File;
  onClose(): void;
}

/** Shows a picture in full size. Escape closes it, and the focus returns. */
export function Lightbox({ file, onClose }: LightboxProps) {
  const { chat, t, format } = useChatContext();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isUnsaved, setUnsaved] = useState(false);

  // The browser returns the focus only if the dialog closes before it leaves the page.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className={styles["lightbox"]}
      aria-label={t.lightbox.label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // The panel below closes on Escape, too.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className={styles["lightboxBar"]}>
        <p>
          <bdi>{shownName(file.filename, t.files.unnamed)}</bdi> <span>{format.bytes(file.byteSize)}</span>
        </p>
        <IconButton
          label={t.lightbox.download}
          icon={<Icon name="download" />}
          onClick={() => {
            setUnsaved(false);
            saveFile(chat, file, t.files.unnamed).catch(() => setUnsaved(true));
          }}
        />
        <IconButton label={t.lightbox.close} icon={<Icon name="close" />} onClick={onClose} />
      </div>
      <div className={styles["lightboxPicture"]}>
        <LargePicture file={file} />
        <p role="alert">{isUnsaved && t.files.notLoaded}</p>
      </div>
    </dialog>
  );
}

function LargePicture({ file }: { file: File }) {
  const { chat, t } = useChatContext();
  const { state, attempt, onError, retry } = usePicture(file);
  if (state === "loading") {
    return (
      <PlainPicture
        key={attempt}
        src={chat.fileUrl(file)}
        alt={shownName(file.filename, t.files.unnamed)}
        onError={onError}
      />
    );
  }
  if (state === "gone") return <p>{t.files.expired}</p>;
  return (
    <div>
      <p>{t.files.notLoaded}</p>
      <Button
        onClick={(event) => {
          // The focused button disappears, so the focus moves to the dialog's first button.
          event.currentTarget.closest("dialog")?.querySelector("button")?.focus();
          retry();
        }}
      >
        {t.buttons.try_again}
      </Button>
    </div>
  );
}
