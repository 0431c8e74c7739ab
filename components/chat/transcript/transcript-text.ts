import type { Message } from "#lib/chat-api/message.ts";
import type { ChatContextValue } from "../chat-context.ts";
import { fill } from "../i18n/strings.ts";

/** The conversation as plain text, as it is saved and printed. */
export function transcriptText(
  messages: readonly Message[],
  isComplete: boolean,
  { t, format, shop }: ChatContextValue,
): string {
  const head = [
    fill(t.transcript.title, { name: `${shop.agentName}, ${shop.shopName}` }),
    ...(isComplete ? [] : [t.transcript.incomplete]),
  ];
  return [...head, ...messages.map(paragraph)].join("\n\n").concat("\n");

  function paragraph(message: Message): string {
    const time = format.dateTime(message.createdAt) ?? t.time.unknown;
    const lines = [
      `${authorOf(message)}, ${time}`,
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

  function authorOf({ role, author }: Message): string {
    if (role === "visitor") return t.messages.you;
    if (role === "system") return t.messages.system;
    return author?.name || (role === "teammate" ? t.messages.team : shop.agentName);
  }
}
