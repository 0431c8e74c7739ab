/** The subset of markdown that the help pages use, as plain data for any renderer. */
import { lexer, type MarkedToken, type Token } from "marked";

export type Inline =
  | { type: "text" | "strong" | "emphasis"; text: string }
  | { type: "link"; text: string; href: string };
/** The content below a heading. */
export type TextBlock = { type: "paragraph"; content: Inline[] } | { type: "list"; items: Inline[][] };
export type Block = { type: "heading"; text: string } | TextBlock;

/**
 * Parses markdown into blocks: headings, paragraphs and bulleted lists.
 * @throws Error for other kinds of markdown, such as tables, HTML and pictures, which would be lost silently.
 */
export function parseMarkdown(source: string): Block[] {
  return markedTokens(lexer(source)).flatMap((token): Block[] => {
    switch (token.type) {
      case "space":
        return [];
      case "heading":
        return [{ type: "heading", text: token.text }];
      case "paragraph":
        return [{ type: "paragraph", content: toInlines(token.tokens) }];
      case "list":
        return [{ type: "list", items: token.items.map((item) => toInlines(item.tokens)) }];
      default:
        throw notUsed(token);
    }
  });
}

function toInlines(tokens: Token[]): Inline[] {
  return markedTokens(tokens).flatMap((token): Inline[] => {
    switch (token.type) {
      case "text":
        return token.tokens ? toInlines(token.tokens) : [{ type: "text", text: token.text }];
      case "escape":
        return [{ type: "text", text: token.text }];
      case "strong":
        return [{ type: "strong", text: token.text }];
      case "em":
        return [{ type: "emphasis", text: token.text }];
      case "link":
        return [{ type: "link", text: token.text, href: token.href }];
      default:
        throw notUsed(token);
    }
  });
}

/** The lexer produces only the token types that it documents, because it has no extensions. */
function markedTokens(tokens: Token[]): MarkedToken[] {
  return tokens as MarkedToken[];
}

function notUsed(token: MarkedToken): Error {
  return new Error(`help pages do not use "${token.type}": ${token.raw.slice(0, 60)}`);
}
