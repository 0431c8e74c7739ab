import { useState } from "react";
import { useChatContext } from "../chat-context.ts";
import styles from "./controls.module.css";
import { PlainPicture } from "./plain-picture.tsx";

interface AvatarProps {
  name: string;
  isPerson: boolean;
  size?: "small" | "large";
}

/** The shop's logo for its agent; the first letter of a person's name, or of an agent's without a logo. */
export function Avatar({ name, isPerson, size = "small" }: AvatarProps) {
  const { logo } = useChatContext().shop;
  const [isLogoLost, setLogoLost] = useState(false);
  return (
    <span className={styles["avatar"]} data-person={isPerson} data-size={size} aria-hidden="true">
      {!isPerson && logo && !isLogoLost ? (
        <PlainPicture src={logo} alt="" onError={() => setLogoLost(true)} />
      ) : (
        firstLetter(name.trim()).toLocaleUpperCase()
      )}
    </span>
  );
}

/** The name's first grapheme, which may be an emoji of several code points. "?" for an empty name. */
function firstLetter(name: string): string {
  // A shortcut for ASCII, because creating a segmenter is slow.
  const plain = /^[ -~](?=[ -~]|$)/.exec(name);
  if (plain !== null) return plain[0];
  const [first] = "Segmenter" in Intl ? new Intl.Segmenter().segment(name) : [];
  return first?.segment ?? (name.slice(0, 1) || "?");
}
