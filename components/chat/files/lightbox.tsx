import { useEffect, useRef } from "react";
import type { File } from "#lib/chat-api/file.ts";
import { shownName } from "#lib/conversation/attachments.ts";
import { useChat } from "../chat-context.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { fileAddress } from "./file-address.ts";
import styles from "./files.module.css";
import { saveFile } from "./save-file.ts";

export interface LightboxProps {
  pictures: readonly File[];
  shownId: string;
  onShow(id: string | null): void;
}

/** A picture in full size over the page. Escape and the arrow keys work; closing gives the focus back. */
export default function Lightbox({ pictures, shownId, onShow }: LightboxProps) {
  const { t, format } = useChat();
  const dialog = useRef<HTMLDialogElement>(null);
  const index = pictures.findIndex(({ id }) => id === shownId);
  const file = pictures[index];
  const step = (by: number) => onShow(pictures[index + by]?.id ?? shownId);

  useEffect(() => {
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
          <bdi>{shownName(file.filename)}</bdi> <span>{format.bytes(file.byteSize)}</span>
        </p>
        <IconButton
          label={t.lightbox.download}
          icon={<Icon name="download" />}
          onClick={() => void saveFile(file).catch(reportError)}
        />
        <IconButton label={t.lightbox.close} icon={<Icon name="close" />} onClick={() => onShow(null)} />
      </div>
      <img src={fileAddress(file)} alt={file.filename} />
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
