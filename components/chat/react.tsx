"use client";

import { lazy, Suspense } from "react";
import type { ChatPartsProps } from "./parts.tsx";

export { useChatState } from "./chat-context.ts";
export { ChatWidget, type ChatWidgetProps, type WidgetEvent } from "./chat-widget.tsx";
export type { ChatPartsProps };

/** The parts load on use: a page that has only the widget must not load them with its button. */
const load = () => import("./parts.tsx");
const Loaded = lazy(async () => ({ default: (await load()).ChatParts }));

/**
 * The chat, its words and its looks for the parts inside: a column that fills the element around it. Renders
 * its children once they and the words are loaded. Throws what keeps a part from loading.
 */
export function ChatParts(props: ChatPartsProps) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}

/**
 * The conversation, with its forms, offers and cards, and announcements for screen readers. It scrolls in the
 * space that the column leaves. Messages count as read while its end is on screen.
 */
export const MessageList = lazy(async () => ({ default: (await load()).MessageList }));

/** The field for text and files. A chat that has ended has a button for a new one in its place. */
export const Composer = lazy(async () => ({ default: (await load()).Composer }));

/** The parts of a message beside its text and form: files, sources, products, orders, the handoff offer. */
export const Cards = lazy(async () => ({ default: (await load()).Cards }));

/** The form that the agent or the team asks the customer to fill in, while it is open. */
export const Form = lazy(async () => ({ default: (await load()).Form }));
