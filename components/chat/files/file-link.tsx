import { useState } from "react";
import type { File } from "#lib/chat-api/file.ts";
import { shownName } from "#lib/conversation/attachments.ts";
import { type Failure, failureOf } from "#lib/conversation/failure.ts";
import { remedyFor } from "#lib/conversation/remedies.ts";
import { useChat } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import { fill } from "../i18n/strings.ts";
import styles from "./files.module.css";
import { saveFile } from "./save-file.ts";

/** A document: its name, kind and size; pressing it saves it. */
export default function FileLink({ file }: { file: File }) {
  const { t, format } = useChat();
  const [failed, setFailed] = useState<Failure | null>(null);
  const [isLoading, setLoading] = useState(false);
  const kind = file.mediaType === "application/pdf" ? "PDF" : file.mediaType === "text/plain" ? "TXT" : "";
  const name = shownName(file.filename);
  const isGone = failed?.code === "file_not_found";

  async function save(): Promise<void> {
    setLoading(true);
    setFailed(null);
    await saveFile(file).catch((error: unknown) => setFailed(failureOf(error)));
    setLoading(false);
  }

  return (
    <button
      type="button"
      className={styles["document"]}
      aria-label={fill(t.attachments.download, { name })}
      aria-busy={isLoading}
      disabled={isGone}
      onClick={() => void save()}
    >
      <Icon name="file" />
      <span>
        <bdi>{name}</bdi>
        <small>
          {isGone ? t.attachments.expired : [kind, format.bytes(file.byteSize)].filter(Boolean).join(" · ")}
        </small>
        {failed !== null && !isGone && <small role="alert">{t.remedies[remedyFor(failed).text]}</small>}
      </span>
      {!isGone && <Icon name="download" size={18} />}
    </button>
  );
}
