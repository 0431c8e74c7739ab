import { useLayoutEffect, useRef, useState } from "react";
import type { File } from "#lib/chat-api/file.ts";
import { shownName } from "#lib/conversation/attachments.ts";
import { useChat } from "../chat-context.ts";
import { Button } from "../controls/button.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { bytesOf } from "../format/bytes.ts";
import { fileAddress } from "./file-address.ts";
import styles from "./files.module.css";
import { saveFile } from "./save-file.ts";
import { usePicture } from "./use-picture.ts";

export interface LightboxProps {
  pictures: readonly File[];
  shownId: string;
  onShow(id: string | null): void;
}

/** A picture in full size over the page. Escape and the arrow keys work; closing gives the focus back. */
export default function Lightbox({ pictures, shownId, onShow }: LightboxProps) {
  const { t, format } = useChat();
  const dialog = useRef<HTMLDialogElement>(null);
  /** The picture that could not be saved; null for none. */
  const [unsavedId, setUnsavedId] = useState<string | null>(null);
  const index = pictures.findIndex(({ id }) => id === shownId);
  const file = pictures[index];
  const step = (by: number) => onShow(pictures[index + by]?.id ?? shownId);

  // Closed before it leaves the page: only then the browser gives the focus back.
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
        // The panel below closes on Escape too.
        event.stopPropagation();
        const isRightToLeft = getComputedStyle(event.currentTarget).direction === "rtl";
        if (event.key === "ArrowRight") step(isRightToLeft ? -1 : 1);
        if (event.key === "ArrowLeft") step(isRightToLeft ? 1 : -1);
      }}
    >
      <div className={styles["lightboxBar"]}>
        <p>
          <bdi>{shownName(file.filename)}</bdi> <span>{bytesOf(file.byteSize, format.locale)}</span>
        </p>
        <IconButton
          label={t.lightbox.download}
          icon={<Icon name="download" />}
          onClick={() => {
            setUnsavedId(null);
            saveFile(file).catch(() => setUnsavedId(file.id));
          }}
        />
        <IconButton label={t.lightbox.close} icon={<Icon name="close" />} onClick={() => onShow(null)} />
      </div>
      <div className={styles["lightboxPicture"]}>
        <LargePicture key={file.id} file={file} />
        <p role="alert">{unsavedId === file.id && t.attachments.notLoaded}</p>
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
  const { t } = useChat();
  const { state, attempt, onError, retry } = usePicture(file);
  if (state === "loading") {
    return <img key={attempt} src={fileAddress(file)} alt={shownName(file.filename)} onError={onError} />;
  }
  if (state === "gone") return <p>{t.attachments.expired}</p>;
  return (
    <div>
      <p>{t.attachments.notLoaded}</p>
      <Button
        onClick={(event) => {
          // The button goes away: the focus stays in the dialog.
          event.currentTarget.closest("dialog")?.querySelector("button")?.focus();
          retry();
        }}
      >
        {t.buttons.try_again}
      </Button>
    </div>
  );
}
