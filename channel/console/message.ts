/** One message with what it carries: all that the customer can read, by the names of the Chat API. */
import type { File } from "#lib/chat-api/message.ts";
import { type Message, type MessagePart, messageParts } from "#lib/chat-api/message.ts";
import { html, type Markup, nothing } from "../http/pages.ts";
import { type ConsoleView, data } from "./layout.ts";
import { moment } from "./wording.ts";

export function messageItem(view: ConsoleView, message: Message): Markup {
  const { id, role, text, createdAt } = message;
  const teammate = message.author?.name ?? "Teammate";
  const author = { visitor: "Customer", agent: "Agent", teammate, system: "Notice" };
  return html`<li data-role="${role}" id="${id}">
    <small><strong><bdi>${author[role]}</bdi></strong> ${moment(createdAt, view)}</small>
    ${text === "" ? nothing : html`<blockquote dir="auto">${text}</blockquote>`}
    ${message.files.map((file) => fileLink(view, file))}
    ${partNames.filter((name) => titlesOf(message[name]) !== "").map((name) => part(message, name))}
  </li>`;
}

const partNames = (Object.keys(messageParts) as MessagePart[]).filter((name) => name !== "files");

function part({ id, ...message }: Message, name: MessagePart): Markup {
  const value = message[name];
  return html`<details id="${id}-${name}"><summary>${name} <small><bdi>${titlesOf(value)}</bdi></small></summary>${data(value)}</details>`;
}

/** The titles in a folded part; empty if the message has no such part. */
function titlesOf(part: Message[MessagePart]): string {
  if (part === null) return "";
  if ("confirmationId" in part) return part.requiresEmail ? "needs an email address" : "to chat";
  if ("request" in part) return part.request?.purpose ?? "closed";
  return part.map(titleOf).join(", ");
}

function titleOf(item: string | object): string {
  if (typeof item === "string") return item;
  if ("title" in item) return String(item.title);
  return "reference" in item ? String(item.reference) : "";
}

function fileLink({ base }: ConsoleView, { id, chatId, filename, mediaType, byteSize }: File): Markup {
  const href = `${base}/chats/${chatId}/files/${id}`;
  const name = html`<bdi>${filename}</bdi> <small>${mediaType}, ${Math.ceil(byteSize / 1024)} KiB</small>`;
  const picture = html`<img src="${href}" alt="" loading="lazy" width="240" height="180">`;
  return html`<a href="${href}" download>${mediaType.startsWith("image/") ? picture : nothing}${name}</a>`;
}
