import { memo, useMemo, useState } from "react";
import { assertNever } from "../../../lib/engine/assert-never.ts";
import type { ConversationState } from "../../../lib/engine/state/state.ts";
import {
  type ListedPart,
  listedRows,
  type TimelineRow,
  unlistedRows,
} from "../../../lib/engine/timeline/timeline.ts";
import { hasSameFields, useChatContext, useConversation } from "../chat-context.ts";
import { Contained } from "../crash-boundary.tsx";
import { FormCard } from "../forms/form-card.tsx";
import { MessageRow } from "./message-row.tsx";
import styles from "./messages.module.css";
import { NoteRow, PendingRow } from "./pending-row.tsx";
import { ReplyRow } from "./reply-row.tsx";
import { Row } from "./row.tsx";

/** Rows that were loaded together. */
interface Page {
  /** 0 for the newest page; each load of earlier messages adds a page above. */
  number: number;
  rows: readonly TimelineRow[];
}

/** The rows of listed messages by page, oldest first. No message moves to another page. */
export function useRowPages(): readonly Page[] {
  const { format } = useChatContext();
  const listed = useConversation(listedPart);
  /** The ID of each page's first message, by page number. */
  const [starts, setStarts] = useState<readonly string[]>([]);
  const first = listed.messages[0]?.id;
  if (first !== undefined && !starts.includes(first)) setStarts([...starts, first]);
  return useMemo(() => pagesOf(listedRows(listed, format.dayKey), starts), [listed, format, starts]);
}

const listedPart = ({
  messages,
  history,
  chat,
  unreadAfterId,
  collection,
  endedForm,
}: ConversationState): ListedPart => ({ messages, history, chat, unreadAfterId, collection, endedForm });

function pagesOf(rows: readonly TimelineRow[], starts: readonly string[]): readonly Page[] {
  const pages: Page[] = [];
  let from = 0;
  for (let number = starts.length - 1; number > 0; number -= 1) {
    const end = rows.findIndex(({ id }) => id === starts[number - 1]);
    if (end <= 0) continue;
    pages.push({ number, rows: rows.slice(from, end) });
    from = end;
  }
  return [...pages, { number: 0, rows: rows.slice(from) }];
}

export interface RowPageProps {
  rows: readonly TimelineRow[];
  /** True for the page with what is not listed yet: messages being sent, the reply in progress. */
  isNewest: boolean;
  /** ID of the newest message if its choices can be picked; otherwise null. */
  answerableId: string | null;
  /** ID of the message with the current form (`latestFormMessageId`), or null. */
  latestFormId: string | null;
}

/**
 * Rows that were loaded together. Off screen, CSS containment skips their layout and paint as one box, but
 * they can still be found, selected and read aloud.
 */
export const RowPage = memo(function RowPage({ isNewest, ...listed }: RowPageProps) {
  return (
    <div className={styles["page"]}>
      <Rows {...listed} />
      {isNewest && <UnlistedRows />}
    </div>
  );
});

/** The only rows that a piece of the reply concerns. */
function UnlistedRows() {
  const rows = unlistedRows(useConversation((state) => state));
  return <Rows rows={rows} answerableId={null} latestFormId={null} />;
}

function Rows({ rows, answerableId, latestFormId }: Omit<RowPageProps, "isNewest">) {
  return rows.map((row) => (
    <TimelineRowView
      key={row.id}
      row={row}
      isLatestForm={row.id === latestFormId}
      isAnswerable={row.id === answerableId}
    />
  ));
}

export interface TimelineRowViewProps {
  row: TimelineRow;
  /** True for the newest message while its choices can be picked. */
  isAnswerable: boolean;
  /** True if its form is the current one; see `latestFormMessageId`. */
  isLatestForm: boolean;
}

/** A row that cannot be rendered is tried again when it changes, but not with each piece of a reply. */
export const TimelineRowView = memo(
  function TimelineRowView(props: TimelineRowViewProps) {
    const { t } = useChatContext();
    const { row } = props;
    return (
      <Contained
        content={row.kind === "reply" ? null : row}
        fallback={<Row className={styles["notice"]}>{t.problems.pageError}</Row>}
      >
        <RowContent {...props} />
      </Contained>
    );
  },
  (before, after) =>
    before.isAnswerable === after.isAnswerable &&
    before.isLatestForm === after.isLatestForm &&
    hasSameFields(comparable(before.row), comparable(after.row)),
);

function RowContent({ row, isAnswerable, isLatestForm }: TimelineRowViewProps) {
  const { t, format } = useChatContext();
  switch (row.kind) {
    case "history_incomplete":
      return <Row className={styles["notice"]}>{t.messages.historyIncomplete}</Row>;
    case "day":
      return (
        <Row className={styles["day"]}>
          <time dateTime={row.day}>{format.day(row.at)}</time>
        </Row>
      );
    case "unread":
      return (
        <Row className={styles["unread"]} data-unread-mark="">
          <span>{t.messages.unread}</span>
        </Row>
      );
    case "message":
      return <MessageRow row={row} isAnswerable={isAnswerable} isLatestForm={isLatestForm} />;
    case "form":
      return (
        <Row className={styles["row"]}>
          <FormCard asked={row.collection} askedAt={null} isLatest={row.isLatest} />
        </Row>
      );
    case "pending":
      return <PendingRow row={row} />;
    case "note":
      return (
        <Row className={styles["noteRow"]}>
          <NoteRow row={row} />
        </Row>
      );
    case "reply":
      return <ReplyRow reply={row.reply} progress={row.progress} startsGroup={row.startsGroup} />;
    default:
      return assertNever(row);
  }
}

/** Each state creates new row objects, and lists of keys, most of them unchanged. */
const comparable = (row: TimelineRow) => (row.kind === "note" ? { ...row, keys: String(row.keys) } : row);
