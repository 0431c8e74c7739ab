import { useState } from "react";
import { errorRules } from "../../../lib/chat-api/errors.ts";
import type { File } from "../../../lib/chat-api/message.ts";
import type { Failure } from "../../../lib/engine/failure.ts";
import { shownName } from "../../../lib/engine/shown.ts";
import { useChatContext } from "../chat-context.ts";
import { Hidden } from "../controls/hidden.tsx";
import { Icon } from "../controls/icons.tsx";
import styles from "./files.module.css";
import { saveFile } from "./save-file.ts";

/** A document with its name, kind and size. Pressing it saves it. */
export function FileLink({ file }: { file: File }) {
  const { chat, t } = useChatContext();
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
            <KindAndSize file={file} />
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

function KindAndSize({ file }: { file: File }) {
  const { format } = useChatContext();
  const kind = file.mediaType === "application/pdf" ? "PDF" : file.mediaType === "text/plain" ? "TXT" : null;
  const size = <bdi>{format.bytes(file.byteSize)}</bdi>;
  if (kind === null) return size;
  return (
    <>
      <bdi>{kind}</bdi> · {size}
    </>
  );
}
