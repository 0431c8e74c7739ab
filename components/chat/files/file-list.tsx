import { useState } from "react";
import { errorRules } from "../../../lib/chat-api/errors.ts";
import type { File } from "../../../lib/chat-api/message.ts";
import type { Failure } from "../../../lib/engine/failure.ts";
import { shownName } from "../../../lib/engine/shown.ts";
import { isPicture } from "../../../lib/engine/state/attachments.ts";
import { useChatContext } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { Icon } from "../controls/icons.tsx";
import { PlainPicture } from "../controls/plain-picture.tsx";
import { fill } from "../i18n/strings.ts";
import styles from "./files.module.css";
import { Lightbox } from "./lightbox.tsx";
import { saveFile } from "./save-file.ts";
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

const kinds: Readonly<Record<string, string>> = { "application/pdf": "PDF", "text/plain": "TXT" };

/** A document with its name, kind and size. Pressing it saves it. */
export function FileLink({ file }: { file: File }) {
  const { chat, t, format } = useChatContext();
  const kind = kinds[file.mediaType];
  const [failed, setFailed] = useState<Failure | null>(null);
  const [isLoading, setLoading] = useState(false);
  const ends = failed && errorRules[failed.code].ends;
  const isGone = ends === "file" || ends === "gone";

  async function save(): Promise<void> {
    setLoading(true);
    setFailed(null);
    await saveFile(chat, file, t.files.unnamed).catch((error: unknown) => setFailed(chat.failureOf(error)));
    setLoading(false);
  }

  return (
    <button
      type="button"
      className={styles["document"]}
      aria-busy={isLoading}
      aria-disabled={isGone}
      onClick={() => isGone || void save()}
    >
      <Icon name="file" />
      <span>
        <bdi>{shownName(file.filename, t.files.unnamed)}</bdi>{" "}
        {!isGone && (
          <small>
            {kind !== undefined && `${kind} · `}
            <bdi>{format.bytes(file.byteSize)}</bdi>
          </small>
        )}
        {failed !== null && <small role="alert">{isGone ? t.files.expired : t.files.notLoaded}</small>}
      </span>
      {!isGone && (
        <>
          <Hidden> {t.lightbox.download}</Hidden>
          <Icon name="download" size={18} />
        </>
      )}
    </button>
  );
}
