import { memo } from "react";
import { assertNever } from "#lib/conversation/assert-never.ts";
import type { TimelineRow } from "#lib/conversation/timeline.ts";
import { useChat } from "../chat-context.ts";
import { lazyPart } from "../controls/lazy-part.tsx";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { MessageRow } from "./message-row.tsx";
import styles from "./messages.module.css";
import { PendingRow } from "./pending-row.tsx";
import { ReplyRow } from "./reply-row.tsx";
import { Row } from "./row.tsx";

const FormCard = lazyPart(() => import("../forms/form-card.tsx"));

export interface TimelineRowViewProps {
  row: TimelineRow;
  runtime: ChatRuntime;
  /** The newest of all: what it asks can be answered. */
  isLast: boolean;
  /** Its form, if it has one, is the one that can be filled in. */
  isLatestForm: boolean;
}

export const TimelineRowView = memo(
  function TimelineRowView({ row, runtime, isLast, isLatestForm }: TimelineRowViewProps) {
    const { t, format } = useChat();
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
        return <MessageRow runtime={runtime} row={row} isLast={isLast} isLatestForm={isLatestForm} />;
      case "form":
        return (
          <Row className={styles["row"]}>
            <FormCard runtime={runtime} asked={row.collection} isSaid={false} isLatest />
          </Row>
        );
      case "pending":
        return <PendingRow runtime={runtime} pending={row.pending} startsGroup={row.startsGroup} />;
      case "reply":
        return <ReplyRow reply={row.reply} isInterrupted={row.isInterrupted} startsGroup={row.startsGroup} />;
      default:
        return assertNever(row);
    }
  },
  (before, after) =>
    before.isLast === after.isLast &&
    before.isLatestForm === after.isLatestForm &&
    before.runtime === after.runtime &&
    isSameRow(before.row, after.row),
);

/** Rows are made anew with each state; what they show mostly is not. */
export function isSameRow(a: TimelineRow, b: TimelineRow): boolean {
  if (a.kind === "message" && b.kind === "message") {
    return a.message === b.message && a.startsGroup === b.startsGroup && a.endsGroup === b.endsGroup;
  }
  if (a.kind === "pending" && b.kind === "pending") {
    return a.pending === b.pending && a.startsGroup === b.startsGroup;
  }
  if (a.kind === "form" && b.kind === "form") return a.collection === b.collection;
  if (a.kind === "reply" && b.kind === "reply")
    return a.reply === b.reply && a.isInterrupted === b.isInterrupted;
  return a.kind === b.kind && a.id === b.id;
}
