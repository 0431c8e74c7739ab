import type { Inline, TextBlock } from "#lib/shop/markdown.ts";
import styles from "./blocks.module.css";

/** A help page's paragraphs and lists. */
export function Blocks({ blocks }: { blocks: readonly TextBlock[] }) {
  return blocks.map((block) =>
    block.type === "paragraph" ? (
      <p className={styles["paragraph"]} key={textOf(block.content)}>
        <Line content={block.content} />
      </p>
    ) : (
      <ul className={styles["list"]} key={block.items.map(textOf).join()}>
        {block.items.map((item) => (
          <li key={textOf(item)}>
            <Line content={item} />
          </li>
        ))}
      </ul>
    ),
  );
}

function Line({ content }: { content: readonly Inline[] }) {
  return content.map((inline) => <Piece inline={inline} key={`${inline.type} ${inline.text}`} />);
}

function Piece({ inline }: { inline: Inline }) {
  switch (inline.type) {
    case "text":
      return inline.text;
    case "strong":
      return <strong>{inline.text}</strong>;
    case "emphasis":
      return <em>{inline.text}</em>;
    case "link":
      return <a href={inline.href}>{inline.text}</a>;
  }
}

function textOf(content: readonly Inline[]): string {
  return content.map(({ text }) => text).join("");
}
