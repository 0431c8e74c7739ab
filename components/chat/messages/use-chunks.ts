import { type RefObject, useCallback, useEffect, useMemo, useState } from "react";
import { conversationLimits } from "../../../lib/conversation/limits.ts";
import type { ConversationState } from "../../../lib/conversation/state/state.ts";
import {
  boundsFor,
  boundsWith,
  boundsWithEarlier,
  type ChunkBounds,
  chunksOf,
  countAbove,
} from "../../../lib/conversation/timeline/chunks.ts";
import { listedRows, unlistedRows } from "../../../lib/conversation/timeline/timeline.ts";
import { useShell } from "../chat-context.ts";
import type { ChatRuntime } from "../runtime/chat-runtime.ts";
import { nearestTo } from "./scroll-rules.ts";

/**
 * Decides which messages are on the page: the last few chunks, and more as the customer scrolls up.
 * Rendered chunks stay, so that the browser's own search and selections keep working.
 */
export function useChunks(
  scroller: RefObject<HTMLElement | null>,
  runtime: ChatRuntime,
  state: ConversationState,
) {
  const { format } = useShell();
  const { messages, history, chat, unreadAfterId, collection, endedForm } = state;
  const [given, setBounds] = useState<ChunkBounds>([]);
  /** Chunks that are still placeholders. */
  const [placeholders, setPlaceholders] = useState<ReadonlySet<string>>(new Set());
  const bounds = useMemo(
    () => (history.state === "reading" ? given : boundsFor(given, messages, unreadAfterId)),
    [given, history.state, messages, unreadAfterId],
  );
  if (bounds !== given) setBounds(bounds);

  const above = countAbove(bounds, messages);
  const listed = useMemo(
    () => listedRows({ messages, history, chat, unreadAfterId, collection, endedForm }, format.dayKey, above),
    [messages, history, chat, unreadAfterId, collection, endedForm, format, above],
  );
  const chunks = useMemo(
    () => chunksOf([...listed, ...unlistedRows(state)], bounds),
    [listed, state, bounds],
  );

  /** Adds chunks to the page. Those that `isWanted` selects render at once, the others one by one. */
  const extendTo = useCallback(
    (wanted: ChunkBounds, isWanted: (index: number, count: number) => boolean) => {
      const added = wanted.slice(0, wanted.length - bounds.length);
      if (added.length === 0) return;
      setBounds(wanted);
      setPlaceholders(
        (now) => new Set([...now, ...added.filter((_, index) => !isWanted(index, added.length))]),
      );
    },
    [bounds],
  );

  const showEarlier = useCallback(() => {
    extendTo(boundsWithEarlier(bounds, messages), (index, count) => index === count - 1);
    // Loads earlier messages before they are needed.
    if (above <= conversationLimits.chunksPerStep * conversationLimits.chunkLength)
      void runtime.history.loadOlder();
  }, [extendTo, bounds, messages, above, runtime]);

  /** Renders the message's chunk. If it is not on the page, adds it with some messages above the message. */
  const showMessage = useCallback(
    (id: string) => {
      extendTo(boundsWith(bounds, messages, id), (index) => index < 2);
      const its = chunks.find(({ rows }) => rows.some((row) => row.id === id))?.id;
      if (its !== undefined) setPlaceholders((now) => new Set([...now].filter((chunkId) => chunkId !== its)));
    },
    [extendTo, bounds, messages, chunks],
  );
  useRendering(scroller, placeholders, setPlaceholders);
  return { chunks, placeholders, hasAbove: above > 0, showEarlier, showMessage };
}

/** Renders one chunk per frame, the closest to the screen first. */
function useRendering(
  scroller: RefObject<HTMLElement | null>,
  placeholders: ReadonlySet<string>,
  setPlaceholders: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void,
): void {
  useEffect(() => {
    if (placeholders.size === 0) return;
    const frame = requestAnimationFrame(() => {
      const nearest = nearestPlaceholder(scroller.current);
      setPlaceholders(
        (before) => new Set(nearest === undefined ? [] : [...before].filter((id) => id !== nearest)),
      );
    });
    return () => cancelAnimationFrame(frame);
  }, [scroller, placeholders, setPlaceholders]);
}

function nearestPlaceholder(list: HTMLElement | null): string | undefined {
  if (list === null) return undefined;
  const spans = Array.from(list.querySelectorAll<HTMLElement>("[data-placeholder]"), (placeholder) => {
    const { top, bottom } = placeholder.getBoundingClientRect();
    return { top, bottom, id: placeholder.dataset["chunk"] };
  });
  return nearestTo(list.getBoundingClientRect(), spans)?.id;
}
