import { useEffect, useRef, useState } from "react";
import type { Collection } from "../../../lib/chat-api/collection.ts";
import type { Message } from "../../../lib/chat-api/message.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { type FormEntry, formEntries } from "../../../lib/engine/state/form.ts";
import { authorName } from "../author-name.ts";
import { type ChatContextValue, useChatContext } from "../chat-context.ts";
import { useOnline, whenOnline } from "../controls/browser.ts";
import { saveBlob } from "../files/save-file.ts";
import { shownAnswer } from "../forms/answers.ts";
import { fill } from "../i18n/strings.ts";
import { partsOf } from "../messages/message-parts.tsx";

/**
 * Saves the conversation. Offline it waits for the network, even if the menu has closed, but drops
 * the request if another conversation comes on screen. After a failure the next press tries again.
 */
export function useTranscript(onTaken: () => void) {
  const context = useChatContext();
  const { chat, t } = context;
  const isOnline = useOnline();
  const [state, setState] = useState<"idle" | "reading" | "failed">("idle");
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  async function take(): Promise<void> {
    if (state === "reading") return;
    setState("reading");
    const { createKey } = chat.getState().conversation;
    try {
      await whenOnline();
      if (chat.getState().conversation.createKey === createKey) await saveTranscript(context);
      if (isShown.current) onTaken();
    } catch (error) {
      setState("failed");
      chat.failureOf(error);
    }
  }

  const reading = isOnline ? t.transcript.loading : t.problems.partWaits;
  return { take, note: { idle: null, reading, failed: t.files.notLoaded }[state] };
}

/** Saves the whole conversation as a text file. */
async function saveTranscript(context: ChatContextValue): Promise<void> {
  const whole = await context.chat.transcript();
  // Another conversation has come on screen meanwhile.
  if (whole === null) return;
  const { messages, transcript } = context.t;
  const { chat } = context.chat.getState().conversation;
  const missing = !whole.isComplete
    ? transcript.incomplete
    : chat?.historyComplete === false
      ? messages.historyIncomplete
      : null;
  const text = transcriptText({ ...whole, missing }, context);
  // The byte order mark tells editors that the text is UTF-8.
  saveBlob(
    new Blob(["\ufeff", text], { type: "text/plain;charset=utf-8" }),
    `${context.shop.shopName}-chat.txt`.replaceAll(/[^\p{L}\p{N}.-]+/gu, "-"),
  );
}

interface Transcript {
  messages: readonly Message[];
  /** The collected details now; null if they are unknown. */
  collection: Collection | null;
  /** The line that says what is missing at the beginning, or null. */
  missing: string | null;
}

/** The conversation as plain text. */
export function transcriptText(
  { messages, collection, missing }: Transcript,
  chat: ChatContextValue,
): string {
  const { t, format, shop } = chat;
  const head = [
    fill(t.transcript.title, { name: `${shop.agentName}, ${shop.shopName}` }),
    ...(missing === null ? [] : [missing]),
  ];
  const asking = messages.flatMap((message) =>
    (message.collection?.request?.fields ?? []).map(({ fieldId }) => ({ fieldId, at: message.createdAt })),
  );
  return [...head, ...messages.map(paragraph), ...unasked()].join("\n\n").concat("\n");

  function paragraph(message: Message): string {
    const time = format.dateTime(message.createdAt);
    const author = authorName(message, chat);
    const content = [
      message.text,
      ...partsOf(message).flatMap((part) => part.printed(message, chat, () => form(message))),
    ].filter(hasVisibleText);
    const head = time === null ? author : `${author}, ${time}`;
    return [head, ...(content.length > 0 ? content : [t.messages.noText])].join("\n");
  }

  function form(message: Message): string[] {
    const { collection: asked } = message;
    if (asked === null || asked.request === null) return [];
    const { purpose } = asked.request;
    const title = purpose.trim() === "" || purpose === message.text ? t.form.label : purpose;
    const questions = formEntries({ ...asked, values: (collection ?? asked).values }).map((question) =>
      isAnsweredLater(question, message.createdAt)
        ? `- ${question.field.label}`
        : `- ${question.field.label}: ${shownAnswer(question, chat)}`,
    );
    const endsInPunctuation = /\p{P}$/u.test(title.trim());
    return [endsInPunctuation ? title : `${title}:`, ...questions];
  }

  /** The API keeps one answer per field, so an answer to a later form does not belong to this one. */
  function isAnsweredLater({ field, stored }: FormEntry, askedAt: string | null): boolean {
    if (stored === null || askedAt === null) return false;
    return asking.some(
      ({ fieldId, at }) => fieldId === field.id && at !== null && at > askedAt && at <= stored.updatedAt,
    );
  }

  /**
   * Answers that no listed form asked for: for example, a teammate entered them, or the form's message is no
   * longer kept.
   */
  function unasked(): string[] {
    const fields = new Map(collection?.fields.map((field) => [field.id, field]));
    const lines = (collection?.values ?? []).flatMap((stored) => {
      const field = fields.get(stored.fieldId);
      if (field === undefined || asking.some(({ fieldId }) => fieldId === field.id)) return [];
      return [`- ${field.label}: ${shownAnswer({ field, stored }, chat)}`];
    });
    return lines.length === 0 ? [] : [[`${t.form.answers}:`, ...lines].join("\n")];
  }
}
