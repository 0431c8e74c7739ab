import { useLayoutEffect, useRef, useState } from "react";
import type { File } from "../../../lib/chat-api/file.ts";
import { shownName } from "../../../lib/engine/shown.ts";
import { useChatContext } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { PlainPicture } from "../controls/plain-picture.tsx";
import styles from "./files.module.css";
import { saveFile } from "./save-file.ts";
import { usePicture } from "./use-picture.ts";

export interface LightboxProps {
  pictures: readonly File[];
  shownId: string;
  onShow(id: string | null): void;
}

/** Shows a picture in full size. Supports Escape and the arrow keys, and returns the focus on closing. */
export function Lightbox({ pictures, shownId, onShow }: LightboxProps) {
  const { chat, t, format } = useChatContext();
  const dialog = useRef<HTMLDialogElement>(null);
  /** The picture that could not be saved, or null. */
  const [unsavedId, setUnsavedId] = useState<string | null>(null);
  const index = pictures.findIndex(({ id }) => id === shownId);
  const file = pictures[index];
  const step = (by: number) => onShow(pictures[index + by]?.id ?? shownId);

  // The browser returns the focus only if the dialog closes before it leaves the page.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  if (file === undefined) return null;
  return (
    <dialog
      ref={dialog}
      className={styles["lightbox"]}
      aria-label={t.lightbox.label}
      onCancel={(event) => {
        event.preventDefault();
        onShow(null);
      }}
      onKeyDown={(event) => {
        // Stops the event: the panel below closes on Escape, too.
        event.stopPropagation();
        const isRightToLeft = getComputedStyle(event.currentTarget).direction === "rtl";
        if (event.key === "ArrowRight") step(isRightToLeft ? -1 : 1);
        if (event.key === "ArrowLeft") step(isRightToLeft ? 1 : -1);
      }}
    >
      <div className={styles["lightboxBar"]}>
        <p>
          <bdi>{shownName(file.filename, t.files.unnamed)}</bdi> <span>{format.bytes(file.byteSize)}</span>
        </p>
        <IconButton
          label={t.lightbox.download}
          icon={<Icon name="download" />}
          onClick={() => {
            setUnsavedId(null);
            saveFile(chat, file, t.files.unnamed).catch(() => setUnsavedId(file.id));
          }}
        />
        <IconButton label={t.lightbox.close} icon={<Icon name="close" />} onClick={() => onShow(null)} />
      </div>
      <div className={styles["lightboxPicture"]}>
        <LargePicture key={file.id} file={file} />
        <p role="alert">{unsavedId === file.id && t.files.notLoaded}</p>
      </div>
      {pictures.length > 1 && (
        <div className={styles["lightboxSteps"]}>
          <IconButton
            label={t.lightbox.previous}
            icon={<Icon name="back" />}
            aria-disabled={index === 0}
            onClick={() => step(-1)}
          />
          <IconButton
            label={t.lightbox.next}
            icon={<Icon name="forward" />}
            aria-disabled={index === pictures.length - 1}
            onClick={() => step(1)}
          />
        </div>
      )}
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
