import { memo, useMemo, useState } from "react";
import type { ConversationState } from "../../../lib/engine/state/state.ts";
import { listedRows, type TimelineRow, unlistedRows } from "../../../lib/engine/timeline/timeline.ts";
import { useChatContext } from "../chat-context.ts";
import styles from "./messages.module.css";
import { TimelineRowView } from "./timeline-row.tsx";

/** Rows that were loaded together. */
interface Page {
  /** 0 for the newest page; each load of earlier messages adds a page above. */
  number: number;
  rows: readonly TimelineRow[];
}

/** The rows by page, oldest first. No message moves to another page. */
export function useRowPages(state: ConversationState): readonly Page[] {
  const { format } = useChatContext();
  const { messages, history, chat, unreadAfterId, collection, endedForm } = state;
  /** The ID of each page's first message, by page number. */
  const [starts, setStarts] = useState<readonly string[]>([]);
  const first = messages[0]?.id;
  if (first !== undefined && !starts.includes(first)) setStarts([...starts, first]);

  const listed = useMemo(
    () =>
      pagesOf(
        listedRows({ messages, history, chat, unreadAfterId, collection, endedForm }, format.dayKey),
        starts,
      ),
    [messages, history, chat, unreadAfterId, collection, endedForm, format, starts],
  );
  const { earlier, newest } = listed;
  // The earlier pages keep their arrays while a reply streams.
  return [...earlier, { number: 0, rows: [...newest, ...unlistedRows(state)] }];
}

function pagesOf(rows: readonly TimelineRow[], starts: readonly string[]) {
  const earlier: Page[] = [];
  let from = 0;
  for (let number = starts.length - 1; number > 0; number -= 1) {
    const end = rows.findIndex(({ id }) => id === starts[number - 1]);
    if (end <= 0) continue;
    earlier.push({ number, rows: rows.slice(from, end) });
    from = end;
  }
  return { earlier, newest: rows.slice(from) };
}

export interface RowPageProps {
  rows: readonly TimelineRow[];
  /** ID of the newest message if its choices can be picked; otherwise null. */
  answerableId: string | null;
  /** ID of the message with the current form (`latestFormMessageId`), or null. */
  latestFormId: string | null;
}

/**
 * Rows that were loaded together. Off screen, CSS containment skips their layout and paint as one box, but
 * they can still be found, selected and read aloud.
 */
export const RowPage = memo(function RowPage({ rows, answerableId, latestFormId }: RowPageProps) {
  return (
    <div className={styles["page"]}>
      {rows.map((row) => (
        <TimelineRowView
          key={row.id}
          row={row}
          isLatestForm={row.id === latestFormId}
          isAnswerable={row.id === answerableId}
        />
      ))}
    </div>
  );
});
