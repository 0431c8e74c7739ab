import { useState } from "react";
import type { File } from "../../../lib/chat-api/message.ts";
import { shownName } from "../../../lib/engine/shown.ts";
import { isPicture } from "../../../lib/engine/state/attachments.ts";
import { useChatContext } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import { PlainPicture } from "../controls/plain-picture.tsx";
import { fill } from "../i18n/strings.ts";
import { FileLink } from "./file-link.tsx";
import styles from "./files.module.css";
import { Lightbox } from "./lightbox.tsx";
import { markSmall, usePicture } from "./use-picture.ts";

/** A message's files: pictures to view, documents to save. */
export function FileList({ files }: { files: readonly File[] }) {
  const [shown, setShown] = useState<File | null>(null);
  return (
    <>
      <ul className={styles["files"]}>
        {files.map((file) => (
          <li key={file.id}>
            {isPicture(file.mediaType) ? (
              <Picture file={file} onOpen={() => setShown(file)} />
            ) : (
              <FileLink file={file} />
            )}
          </li>
        ))}
      </ul>
      {shown !== null && <Lightbox file={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function Picture({ file, onOpen }: { file: File; onOpen(): void }) {
  const { chat, t } = useChatContext();
  const { state, attempt, onError, retry } = usePicture(file);
  const name = shownName(file.filename, t.files.unnamed);
  if (state !== "loading") {
    const document = (
      <>
        <Icon name="picture" />
        <span>
          <bdi>{name}</bdi> <small>{state === "gone" ? t.files.expired : t.files.notLoaded}</small>
        </span>
      </>
    );
    return state === "gone" ? (
      <p className={styles["document"]}>{document}</p>
    ) : (
      <button type="button" className={styles["document"]} onClick={retry}>
        {document}
      </button>
    );
  }
  return (
    <button
      type="button"
      className={styles["picture"]}
      aria-label={fill(t.files.open, { name })}
      onClick={onOpen}
    >
      <PlainPicture
        key={attempt}
        src={chat.fileUrl(file)}
        alt=""
        width={160}
        height={120}
        loading="lazy"
        decoding="async"
        onLoad={markSmall}
        onError={onError}
      />
    </button>
  );
}
