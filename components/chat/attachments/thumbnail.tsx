import { useEffect, useState } from "react";
import type { File as ChatFile } from "#lib/chat-api/file.ts";
import { isPicture } from "#lib/conversation/attachments.ts";
import { Icon } from "../controls/icons.tsx";
import { fileAddress } from "../files/file-address.ts";
import styles from "./attachments.module.css";

/** A small picture of a file: from the bytes here, or from the server. */
export function Thumbnail({ file, local }: { file?: ChatFile; local?: File }) {
  const localAddress = useLocalAddress(local);
  const [failedAddress, setFailedAddress] = useState<string | null>(null);
  const type = file?.mediaType ?? local?.type ?? "";
  const address = file === undefined ? localAddress : fileAddress(file);
  return (
    <span className={styles["thumbnail"]}>
      {isPicture(type) && address !== null && address !== failedAddress ? (
        <img src={address} alt="" width={40} height={40} onError={() => setFailedAddress(address)} />
      ) : (
        <Icon name={isPicture(type) ? "picture" : "file"} />
      )}
    </span>
  );
}

function useLocalAddress(local: File | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (local === undefined) return;
    const made = URL.createObjectURL(local);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [local]);
  return address;
}
