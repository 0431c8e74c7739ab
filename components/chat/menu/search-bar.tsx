import { type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { Message } from "../../../lib/chat-api/message.ts";
import type { ConversationState } from "../../../lib/engine/state/state.ts";
import { findInText, findMessages } from "../../../lib/engine/timeline/search.ts";
import { useChatContext } from "../chat-context.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../controls/icons.tsx";
import { counted, fill } from "../i18n/strings.ts";
import styles from "./search.module.css";
import "./search-highlight.css";

export interface SearchBarProps {
  state: ConversationState;
  onClose(): void;
}

/**
 * Searches the whole conversation, newest first. Reads earlier messages that are missing, and reports what
 * could not be read.
 */
export function SearchBar({ state, onClose }: SearchBarProps) {
  const { chat, t, format } = useChatContext();
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const [isLoading, setLoading] = useState(state.history.hasOlder);
  const field = useRef<HTMLInputElement>(null);
  const wanted = useDeferredValue(query);
  const found = useMemo(() => findMessages(state.messages, wanted), [state.messages, wanted]);
  const current = found[at];

  useEffect(() => {
    field.current?.focus();
    void chat.loadAll().then(() => setLoading(false));
  }, [chat]);

  useScrolledTo(field, current?.id);
  useHighlight(field, current, wanted);

  const step = (by: number) => setAt((was) => Math.min(Math.max(was + by, 0), Math.max(found.length - 1, 0)));
  return (
    <search className={styles["bar"]}>
      <input
        ref={field}
        type="search"
        value={query}
        aria-label={t.search.label}
        placeholder={t.search.placeholder}
        dir="auto"
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") onClose();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <p role="status" className={styles["count"]}>
        {isLoading ? t.search.loading : resultText()}
      </p>
      <IconButton
        label={t.search.previous}
        icon={<Icon name="down" size={18} />}
        aria-disabled={at === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        label={t.search.next}
        icon={<Icon name="up" size={18} />}
        aria-disabled={at >= found.length - 1}
        onClick={() => step(1)}
      />
      <IconButton label={t.search.close} icon={<Icon name="close" size={18} />} onClick={onClose} />
    </search>
  );

  function resultText(): string {
    if (wanted.trim() === "") return "";
    const result =
      found.length === 0
        ? t.search.none
        : fill(t.search.position, {
            at: format.number(at + 1),
            total: counted(t.search.results, found.length, format),
          });
    return state.history.hasOlder ? `${result} · ${t.transcript.incomplete}` : result;
  }
}

/** The message's row in the search bar's panel. */
function rowOf(field: RefObject<HTMLElement | null>, id: string): Element | null {
  const panel = field.current?.closest("[data-panel]");
  return panel?.querySelector(`[data-message-id="${CSS.escape(id)}"]`) ?? null;
}

/**
 * Scrolls again for at most this many frames, until the position is stable: pages of a long chat that were
 * never on screen have an estimated height until then.
 */
const scrollFrames = 120;

function useScrolledTo(field: RefObject<HTMLElement | null>, id: string | undefined): void {
  useEffect(() => {
    if (id === undefined) return;
    let frame = 0;
    let top: number | undefined;
    const scroll = (framesLeft: number) => {
      const row = rowOf(field, id);
      row?.scrollIntoView({ block: "center" });
      const before = top;
      top = row?.getBoundingClientRect().top;
      const isSettled = top !== undefined && top === before;
      if (!isSettled && framesLeft > 0) frame = requestAnimationFrame(() => scroll(framesLeft - 1));
    };
    frame = requestAnimationFrame(() => scroll(scrollFrames));
    return () => cancelAnimationFrame(frame);
  }, [field, id]);
}

const highlightName = "chat-search";

/** Highlights the matches with the CSS Custom Highlight API, without touching the messages' elements. */
function useHighlight(
  field: RefObject<HTMLElement | null>,
  message: Message | undefined,
  query: string,
): void {
  useEffect(() => {
    if (message === undefined || !("highlights" in CSS)) return;
    const text = rowOf(field, message.id)?.querySelector('p[dir="auto"]');
    if (text) CSS.highlights.set(highlightName, new Highlight(...rangesIn(text, query)));
    return () => void CSS.highlights.delete(highlightName);
  }, [field, message, query]);
}

function rangesIn(element: Element, query: string): Range[] {
  return findInText(element.textContent ?? "", query).map(({ start, end }) => {
    const range = document.createRange();
    range.setStart(...textPositionOf(element, start));
    range.setEnd(...textPositionOf(element, end));
    return range;
  });
}

/** The text node and offset of a position in the element's whole text. */
function textPositionOf(element: Element, position: number): [Node, number] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let remaining = position;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (remaining <= length) return [node, remaining];
    remaining -= length;
  }
  return [element, 0];
}
