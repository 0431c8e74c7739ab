import { memo } from "react";
import { assertNever } from "../../../lib/engine/assert-never.ts";
import type { TimelineRow } from "../../../lib/engine/timeline/timeline.ts";
import { useChatContext } from "../chat-context.ts";
import { Icon } from "../controls/icons.tsx";
import { LazyPart } from "../controls/lazy-parts.tsx";
import { MessageRow } from "./message-row.tsx";
import styles from "./messages.module.css";
import { PendingRow } from "./pending-row.tsx";
import { ReplyRow } from "./reply-row.tsx";
import { richParts } from "./rich-parts.tsx";
import { Row } from "./row.tsx";
import { TryNow } from "./try-now.tsx";

export interface TimelineRowViewProps {
  row: TimelineRow;
  /** True for the newest message while its choices can be picked. */
  isAnswerable: boolean;
  /** True if its form is the current one; see `latestFormMessageId`. */
  isLatestForm: boolean;
}

export const TimelineRowView = memo(
  function TimelineRowView({ row, isAnswerable, isLatestForm }: TimelineRowViewProps) {
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
            <LazyPart of={richParts}>
              {({ FormCard }) => <FormCard asked={row.collection} askedAt={null} isLatest={row.isLatest} />}
            </LazyPart>
          </Row>
        );
      case "pending":
        return <PendingRow row={row} />;
      case "note":
        return (
          <Row className={styles["noteRow"]}>
            {row.pending.delivery.state === "unsure" ? (
              <p className={styles["time"]} data-delivery="unsure">
                <Icon name="clock" size={14} />
                {t.delivery.unsure} <TryNow delivery={row.pending.delivery} />
              </p>
            ) : (
              <LazyPart of={richParts} fallback={<p className={styles["time"]}>{t.delivery.notSent}</p>}>
                {({ NoteRow }) => <NoteRow row={row} />}
              </LazyPart>
            )}
          </Row>
        );
      case "reply":
        return <ReplyRow reply={row.reply} progress={row.progress} startsGroup={row.startsGroup} />;
      default:
        return assertNever(row);
    }
  },
  (before, after) =>
    before.isAnswerable === after.isAnswerable &&
    before.isLatestForm === after.isLatestForm &&
    isSameRow(before.row, after.row),
);

/** Compares content, because each new state creates new row objects, most of them unchanged. */
export function isSameRow(a: TimelineRow, b: TimelineRow): boolean {
  const others = new Map<string, unknown>(Object.entries(b));
  return Object.entries(a).every(([name, value]) =>
    // The keys of a note.
    Array.isArray(value) ? String(value) === String(others.get(name)) : value === others.get(name),
  );
}
