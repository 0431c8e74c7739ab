import { type HTMLAttributes, useRef } from "react";
import { textParts } from "../../../lib/engine/text-parts.ts";
import { SafeLink } from "../controls/safe-link.tsx";
import styles from "./messages.module.css";

type RowProps = HTMLAttributes<HTMLDivElement> & { [name: `data-${string}`]: string | boolean | undefined };

export function Row(props: RowProps) {
  // biome-ignore lint/a11y/useSemanticElements: a list element takes no pages between itself and its entries
  return <div role="listitem" data-row="" {...props} />;
}

/** Plain text with its line breaks. Each paragraph takes its direction from its first letter. */
export function MessageText({ text }: { text: string }) {
  const place = useRef<HTMLParagraphElement>(null);
  // A browser that translates the page has put elements in the place of the text that React would change: a
  // text that grows gets a new paragraph.
  const isTranslated = place.current?.querySelector("font") != null;
  return (
    <p ref={place} key={isTranslated ? text : ""} className={styles["text"]} dir="auto">
      {textParts(text).map((part, index) => {
        if (part.kind === "text") return part.text;
        return part.kind === "link" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
          <SafeLink key={index} url={part.url}>
            {part.text}
          </SafeLink>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <a key={index} href={part.href} dir="ltr">
            {part.text}
          </a>
        );
      })}
    </p>
  );
}
