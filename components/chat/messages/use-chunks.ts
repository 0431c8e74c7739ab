import { type RefObject, useCallback, useEffect, useMemo, useState } from "react";
import {
  boundsFor,
  boundsWith,
  boundsWithEarlier,
  type ChunkBounds,
  chunksOf,
  countAbove,
} from "#lib/conversation/chunks.ts";
import { conversationLimits } from "#lib/conversation/limits.ts";
import type { ConversationState } from "#lib/conversation/state.ts";
import { comingRows, listedRows } from "#lib/conversation/timeline.ts";
import { useChat } from "../chat-context.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";

/**
 * Which of the messages are on the page: the last few chunks, then one more with each step towards the past. What has been
 * drawn stays, so that the browser's own search finds it and selections hold.
 */
export function useChunks(
  scroller: RefObject<HTMLElement | null>,
  runtime: ChatRuntime,
  state: ConversationState,
) {
  const { format } = useChat();
  const { messages, history, chat, unreadAfterId, collection } = state;
  const [given, setBounds] = useState<ChunkBounds>([]);
  /** Chunks that only keep their place yet. */
  const [undrawn, setUndrawn] = useState<ReadonlySet<string>>(new Set());
  const bounds = useMemo(
    () => (history.state === "reading" ? given : boundsFor(given, messages, unreadAfterId)),
    [given, history.state, messages, unreadAfterId],
  );
  if (bounds !== given) setBounds(bounds);

  const above = countAbove(bounds, messages);
  const listed = useMemo(
    () => listedRows({ messages, history, chat, unreadAfterId, collection }, format.dayKey, above),
    [messages, history, chat, unreadAfterId, collection, format, above],
  );
  const chunks = useMemo(() => chunksOf([...listed, ...comingRows(state)], bounds), [listed, state, bounds]);

  /** The new chunks are drawn little by little, but for those that are wanted at once. */
  const extendTo = useCallback(
    (wanted: ChunkBounds, isWanted: (index: number, count: number) => boolean) => {
      const added = wanted.slice(0, wanted.length - bounds.length);
      if (added.length === 0) return;
      setBounds(wanted);
      setUndrawn((now) => new Set([...now, ...added.filter((_, index) => !isWanted(index, added.length))]));
    },
    [bounds],
  );

  const showEarlier = useCallback(() => {
    extendTo(boundsWithEarlier(bounds, messages), (index, count) => index === count - 1);
    // Asked for before it is needed.
    if (above <= conversationLimits.chunksPerStep * conversationLimits.chunkLength) void runtime.loadOlder();
  }, [extendTo, bounds, messages, above, runtime]);

  /** Brings the message to the page, where it stands in one of the first two chunks: some messages above it come along. */
  const showMessage = useCallback(
    (id: string) => {
      extendTo(boundsWith(bounds, messages, id), (index) => index < 2);
      const its = chunks.find(({ rows }) => rows.some((row) => row.id === id))?.id;
      if (its !== undefined) setUndrawn((now) => new Set([...now].filter((chunkId) => chunkId !== its)));
    },
    [extendTo, bounds, messages, chunks],
  );
  useDrawing(scroller, undrawn, setUndrawn);
  return { chunks, undrawn, hasAbove: above > 0, showEarlier, showMessage };
}

/** Draws one chunk in each frame, the nearest to the screen first. */
function useDrawing(
  scroller: RefObject<HTMLElement | null>,
  undrawn: ReadonlySet<string>,
  setUndrawn: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void,
): void {
  useEffect(() => {
    if (undrawn.size === 0) return;
    const frame = requestAnimationFrame(() => {
      const nearest = nearestUndrawn(scroller.current);
      setUndrawn(
        (before) => new Set(nearest === undefined ? [] : [...before].filter((id) => id !== nearest)),
      );
    });
    return () => cancelAnimationFrame(frame);
  }, [scroller, undrawn, setUndrawn]);
}

function nearestUndrawn(list: HTMLElement | null): string | undefined {
  const view = list?.getBoundingClientRect();
  let nearest: { id: string | undefined; distance: number } = { id: undefined, distance: Infinity };
  for (const place of list?.querySelectorAll<HTMLElement>("[data-undrawn]") ?? []) {
    const { top, bottom } = place.getBoundingClientRect();
    const distance = Math.max(0, top - (view?.bottom ?? 0), (view?.top ?? 0) - bottom);
    if (distance < nearest.distance) nearest = { id: place.dataset["chunk"], distance };
  }
  return nearest.id;
}
