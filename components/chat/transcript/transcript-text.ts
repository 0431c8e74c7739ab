import type { Message } from "#lib/chat-api/message.ts";
import { authorName } from "../author-name.ts";
import type { ChatContextValue } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";

/** The conversation as plain text, as it is saved and printed. `missing` says what its beginning lacks; null for nothing. */
export function transcriptText(
  messages: readonly Message[],
  missing: string | null,
  chat: ChatContextValue,
): string {
  const { t, format, shop } = chat;
  const head = [
    fill(t.transcript.title, { name: `${shop.agentName}, ${shop.shopName}` }),
    ...(missing === null ? [] : [missing]),
  ];
  return [...head, ...messages.map(paragraph)].join("\n\n").concat("\n");

  function paragraph(message: Message): string {
    const time = format.dateTime(message.createdAt) ?? t.time.unknown;
    const lines = [
      `${authorName(message, chat)}, ${time}`,
      message.text,
      ...message.files.map(
        (file) => `${t.transcript.file}: ${file.filename} (${format.bytes(file.byteSize)})`,
      ),
      ...message.products.map(({ title, price }) =>
        price === null ? title : `${title}, ${format.money(price.amount, price.currency)}`,
      ),
      ...message.orders.map(({ reference, status }) => `${reference}: ${status}`),
      ...(message.citations.length === 0 ? [] : [`${t.transcript.sources}:`]),
      ...message.citations.map(({ title, url }) => (url === null ? `- ${title}` : `- ${title} <${url}>`)),
    ];
    return lines.filter((line) => line !== "").join("\n");
  }
}
