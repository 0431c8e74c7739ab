import { memo, useEffect, useState } from "react";
import type { RowChunk } from "#lib/conversation/chunks.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import styles from "./messages.module.css";
import { isSameRow, TimelineRowView } from "./timeline-row.tsx";

export interface ChunkProps {
  chunk: RowChunk;
  runtime: ChatRuntime;
  /** False for a chunk that is far from the screen and has never been drawn: it only keeps a place. */
  isDrawn: boolean;
  /** The newest message, where it is in this chunk and nothing stands below it: what it asks can be answered. */
  lastId: string | null;
  /** The message of this chunk whose form can be filled in. */
  latestFormId: string | null;
}

/**
 * Some rows of the list, drawn together. Out of sight they are neither laid out nor painted: the browser passes over
 * them as over one box, and still finds them, selects them and reads them aloud.
 */
export const Chunk = memo(
  function Chunk({ chunk, runtime, isDrawn, lastId, latestFormId }: ChunkProps) {
    const hasSize = useHasSize(isDrawn);
    if (!isDrawn) return <div className={styles["undrawn"]} data-chunk={chunk.id} data-undrawn="" />;
    return (
      <div className={styles["chunk"]} data-chunk={chunk.id} data-has-size={hasSize}>
        {chunk.rows.map((row) => (
          <TimelineRowView
            key={row.id}
            row={row}
            runtime={runtime}
            isLatestForm={row.id === latestFormId}
            isLast={row.id === lastId}
          />
        ))}
      </div>
    );
  },
  (before, after) =>
    before.runtime === after.runtime &&
    before.isDrawn === after.isDrawn &&
    before.lastId === after.lastId &&
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
 * True once the chunk has been laid out: the browser remembers its size then, and skips it without a jump. Skipped from the
 * beginning it would have to guess.
 */
function useHasSize(isDrawn: boolean): boolean {
  const [hasSize, setHasSize] = useState(false);
  useEffect(() => {
    if (!isDrawn) return;
    // The size is taken after the first frame's layout.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setHasSize(true));
    });
    return () => cancelAnimationFrame(frame);
  }, [isDrawn]);
  return hasSize;
}
