import { memo, useEffect, useState } from "react";
import type { RowChunk } from "../../../lib/conversation/timeline/chunks.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import styles from "./messages.module.css";
import { isSameRow, TimelineRowView } from "./timeline-row.tsx";

export interface ChunkProps {
  chunk: RowChunk;
  runtime: ChatRuntime;
  /** False for a placeholder: a chunk that has not been rendered yet. */
  isRendered: boolean;
  /** ID of the newest message if it is in this chunk and its choices can be picked; otherwise null. */
  answerableId: string | null;
  /** ID of the message with the current form (`latestFormMessageId`) if it is in this chunk, else null. */
  latestFormId: string | null;
}

/**
 * Rows of the list that are rendered together. Off screen, CSS containment skips their layout and paint as
 * one box, but they can still be found, selected and read aloud.
 */
export const Chunk = memo(
  function Chunk({ chunk, runtime, isRendered, answerableId, latestFormId }: ChunkProps) {
    const hasSize = useHasSize(isRendered);
    if (!isRendered)
      return <div className={styles["placeholder"]} data-chunk={chunk.id} data-placeholder="" />;
    return (
      <div className={styles["chunk"]} data-chunk={chunk.id} data-has-size={hasSize}>
        {chunk.rows.map((row) => (
          <TimelineRowView
            key={row.id}
            row={row}
            runtime={runtime}
            isLatestForm={row.id === latestFormId}
            isAnswerable={row.id === answerableId}
          />
        ))}
      </div>
    );
  },
  (before, after) =>
    before.runtime === after.runtime &&
    before.isRendered === after.isRendered &&
    before.answerableId === after.answerableId &&
    before.latestFormId === after.latestFormId &&
    isSameChunk(before.chunk, after.chunk),
);

function isSameChunk(a: RowChunk, b: RowChunk): boolean {
  if (a === b) return true;
  return a.rows.length === b.rows.length && a.rows.every((row, index) => isSame(row, b.rows[index]));
}

function isSame(row: RowChunk["rows"][number], other: RowChunk["rows"][number] | undefined): boolean {
  return other !== undefined && row.id === other.id && isSameRow(row, other);
}

/**
 * True once the chunk has been laid out. The browser then remembers its size and skips it without a jump;
 * before that it would have to guess.
 */
function useHasSize(isRendered: boolean): boolean {
  const [hasSize, setHasSize] = useState(false);
  useEffect(() => {
    if (!isRendered) return;
    // The size is known after the first frame's layout.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setHasSize(true));
    });
    return () => cancelAnimationFrame(frame);
  }, [isRendered]);
  return hasSize;
}
