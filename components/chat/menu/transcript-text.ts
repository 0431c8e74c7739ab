import type { Collection } from "../../../lib/chat-api/collection.ts";
import type { Message } from "../../../lib/chat-api/message.ts";
import { hasVisibleText } from "../../../lib/chat-api/text.ts";
import { type FormEntry, formEntries } from "../../../lib/engine/state/form.ts";
import { authorName } from "../author-name.ts";
import type { ChatContextValue } from "../chat-context.ts";
import { shownAnswer } from "../forms/answers.ts";
import { fill } from "../i18n/strings.ts";
import { partsOf } from "../messages/message-parts.tsx";

export interface Transcript {
  messages: readonly Message[];
  /** The collected details now; null if they are unknown. */
  collection: Collection | null;
  /** The line that says what is missing at the beginning, or null. */
  missing: string | null;
}

/** The conversation as plain text, for saving and printing. */
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
