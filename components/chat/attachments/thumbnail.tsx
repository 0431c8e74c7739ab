import { type RefObject, useEffect, useRef, useState } from "react";
import type { File as ChatFile } from "../../../lib/chat-api/file.ts";
import { isPicture } from "../../../lib/engine/state/attachments.ts";
import { useChatContext } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import { PlainPicture } from "../controls/plain-picture.tsx";
import styles from "./attachments.module.css";

/** A small picture of a file, from the local bytes or from the server. */
export function Thumbnail({ file, local }: { file?: ChatFile; local?: File }) {
  const { chat } = useChatContext();
  const image = useRef<HTMLImageElement>(null);
  const [failed, setFailed] = useState<string | File | null>(null);
  const type = file?.mediaType ?? local?.type ?? "";
  const shown = file?.id ?? local ?? null;
  useLocalPicture(image, file === undefined ? local : undefined);
  return (
    <span className={styles["thumbnail"]}>
      {isPicture(type) && shown !== failed ? (
        <PlainPicture
          ref={image}
          src={file && chat.fileUrl(file)}
          alt=""
          width={40}
          height={40}
          onError={() => setFailed(shown)}
        />
      ) : (
        <Icon name={isPicture(type) ? "picture" : "file"} />
      )}
    </span>
  );
}

function useLocalPicture(image: RefObject<HTMLImageElement | null>, local: File | undefined): void {
  useEffect(() => {
    if (local === undefined || image.current === null) return;
    const address = URL.createObjectURL(local);
    image.current.setAttribute("src", address);
    return () => URL.revokeObjectURL(address);
  }, [image, local]);
}
