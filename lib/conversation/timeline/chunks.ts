/**
 * Splits the rows of a long conversation into chunks, so that off-screen rows cost little. A chunk always
 * begins at the same message: rows added above create new chunks, rows added below extend the last chunk
 * until it is full, and no message moves to another chunk.
 */
import type { Message } from "../../chat-api/message.ts";
import { conversationLimits } from "../limits.ts";
import type { TimelineRow } from "./timeline.ts";

const { chunkLength, firstChunks, chunksPerStep, marginAbove } = conversationLimits;

/** The IDs of the messages at which chunks begin, oldest first. Earlier messages are not shown. */
export type ChunkBounds = readonly string[];

export interface RowChunk {
  /** The ID of the first row that is not a heading. */
  id: string;
  rows: readonly TimelineRow[];
}

/**
 * The bounds for these messages: the known ones, and new ones if the last chunk has become too long. Without
 * known bounds, the last few chunks, and those from `fromId` if that is further up.
 */
export function boundsFor(
  bounds: ChunkBounds,
  messages: readonly Message[],
  fromId: string | null = null,
): ChunkBounds {
  const { length } = messages;
  const last = indexOf(messages, bounds.at(-1));
  if (last < 0) {
    const newest = messages[Math.max(0, length - chunkLength)]?.id;
    if (newest === undefined) return bounds.length === 0 ? bounds : [];
    const first = Math.max(0, length - firstChunks * chunkLength);
    const from = indexOf(messages, fromId ?? undefined);
    return boundsDownTo([newest], messages, from < 0 ? first : Math.min(first, from - marginAbove));
  }
  const more: string[] = [];
  for (let at = last + 2 * chunkLength; at < length; at += 2 * chunkLength) more.push(messages[at]?.id ?? "");
  return more.length === 0 ? bounds : [...bounds, ...more];
}

/** The bounds with a few more chunks above the first one; unchanged if there is nothing above. */
export function boundsWithEarlier(bounds: ChunkBounds, messages: readonly Message[]): ChunkBounds {
  return boundsDownTo(bounds, messages, indexOf(messages, bounds[0]) - chunksPerStep * chunkLength);
}

/**
 * The bounds with chunks for this message, a few above it, and all down to the first chunk; unchanged if it
 * is already shown.
 */
export function boundsWith(bounds: ChunkBounds, messages: readonly Message[], id: string): ChunkBounds {
  return boundsDownTo(bounds, messages, indexOf(messages, id) - marginAbove);
}

function boundsDownTo(bounds: ChunkBounds, messages: readonly Message[], index: number): ChunkBounds {
  const added: string[] = [];
  let first = indexOf(messages, bounds[0]);
  while (first > Math.max(0, index)) {
    first = Math.max(0, first - chunkLength);
    added.unshift(messages[first]?.id ?? "");
  }
  return added.length === 0 ? bounds : [...added, ...bounds];
}

/** How many of the messages are above the first chunk. */
export function countAbove(bounds: ChunkBounds, messages: readonly Message[]): number {
  return Math.max(0, indexOf(messages, bounds[0]));
}

function indexOf(messages: readonly Message[], id: string | undefined): number {
  return id === undefined ? -1 : messages.findIndex((message) => message.id === id);
}

/** The rows by chunk. Headings between two messages go into the chunk of the lower one. */
export function chunksOf(rows: readonly TimelineRow[], bounds: ChunkBounds): RowChunk[] {
  const begins = new Set(bounds);
  const chunks: { id: string; rows: TimelineRow[] }[] = [];
  let between: TimelineRow[] = [];
  for (const row of rows) {
    if (row.kind === "day" || row.kind === "unread" || row.kind === "history_incomplete") {
      between.push(row);
      continue;
    }
    const chunk = chunks.at(-1);
    if (chunk === undefined || begins.has(row.id)) chunks.push({ id: row.id, rows: [...between, row] });
    else chunk.rows.push(...between, row);
    between = [];
  }
  return chunks;
}
