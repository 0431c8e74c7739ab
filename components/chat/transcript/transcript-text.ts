import type { Collection } from "#lib/chat-api/collection.ts";
import type { Message } from "#lib/chat-api/message.ts";
import { authorName } from "../author-name.ts";
import type { ChatContextValue } from "../chat-context.ts";
import { bytesOf } from "../format/bytes.ts";
import { moneyOf } from "../format/money.ts";
import { type Question, questionsOf, shownAnswer } from "../forms/answers.ts";
import { fill } from "../i18n/strings.ts";

export interface Transcript {
  messages: readonly Message[];
  /** The details collected in the chat, as they are now; null when nobody knows. */
  collection: Collection | null;
  /** Says what the beginning lacks; null for nothing. */
  missing: string | null;
}

/** The conversation as plain text, as it is saved and printed. */
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
    const time = format.dateTime(message.createdAt) ?? t.time.unknown;
    const lines = [
      `${authorName(message, chat)}, ${time}`,
      message.text,
      ...message.files.map(
        (file) => `${t.transcript.file}: ${file.filename} (${bytesOf(file.byteSize, format.locale)})`,
      ),
      ...message.products.map(({ title, price }) =>
        price === null ? title : `${title}, ${moneyOf(price.amount, price.currency, format.locale)}`,
      ),
      ...message.orders.map(({ reference, status }) => `${reference}: ${status}`),
      ...form(message),
      ...(message.citations.length === 0 ? [] : [`${t.transcript.sources}:`]),
      ...message.citations.map(({ title, url }) => (url === null ? `- ${title}` : `- ${title} <${url}>`)),
    ];
    return lines.filter((line) => line !== "").join("\n");
  }

  function form(message: Message): string[] {
    const { collection: asked } = message;
    if (asked === null || asked.request === null) return [];
    const { purpose } = asked.request;
    const title = purpose.trim() === "" || purpose === message.text ? t.form.label : purpose;
    const questions = questionsOf(asked, (collection ?? asked).values).map((question) =>
      isAnsweredLater(question, message.createdAt)
        ? `- ${question.field.label}`
        : `- ${question.field.label}: ${shownAnswer(question, t)}`,
    );
    const endsInPunctuation = /\p{P}$/u.test(title.trim());
    return [endsInPunctuation ? title : `${title}:`, ...questions];
  }

  /** The API keeps one answer for a field: it is no answer to a form that came before the one it was given in. */
  function isAnsweredLater({ field, value }: Question, askedAt: string | null): boolean {
    if (value === null || askedAt === null) return false;
    return asking.some(
      ({ fieldId, at }) => fieldId === field.id && at !== null && at > askedAt && at <= value.updatedAt,
    );
  }

  /** Details that a teammate wrote down, or that were asked for in messages that are no longer kept. */
  function unasked(): string[] {
    const fields = new Map(collection?.fields.map((field) => [field.id, field]));
    const lines = (collection?.values ?? []).flatMap((value) => {
      const field = fields.get(value.fieldId);
      if (field === undefined || asking.some(({ fieldId }) => fieldId === field.id)) return [];
      return [`- ${field.label}: ${shownAnswer({ field, value }, t)}`];
    });
    return lines.length === 0 ? [] : [[`${t.form.answers}:`, ...lines].join("\n")];
  }
}
