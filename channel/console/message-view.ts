/** One message as the customer sees it, with everything that it carries. */
import type { Collection } from "#lib/chat-api/collection.ts";
import type { File } from "#lib/chat-api/file.ts";
import type { Citation, Message } from "#lib/chat-api/message.ts";
import type { Order } from "#lib/chat-api/order.ts";
import type { Product } from "#lib/chat-api/product.ts";
import { html, type Markup, nothing } from "../http/markup.ts";
import type { ConsoleView } from "./view.ts";
import { byteCount, comingMoment, moment, money } from "./wording.ts";

export function messageItem(view: ConsoleView, message: Message): Markup {
  if (message.role === "system")
    return html`<li data-role="system" id="${message.id}"><small><span dir="auto">${message.text}</span> ${moment(message.createdAt, view)}</small></li>`;
  return html`<li data-role="${message.role}" id="${message.id}">
    <p><strong><bdi>${authorOf(message)}</bdi></strong> <small>${moment(message.createdAt, view)}</small></p>
    ${message.text === "" ? nothing : html`<blockquote dir="auto">${message.text}</blockquote>`}
    ${message.files.map(file)}
    ${message.products.map(product)}
    ${message.orders.map(order)}
    ${message.choices.length === 0 ? nothing : html`<ul class="row" aria-label="Replies offered">${message.choices.map((choice) => html`<li><mark dir="auto">${choice}</mark></li>`)}</ul>`}
    ${message.collection === null ? nothing : form(message.collection)}
    ${message.handoffOffer === null ? nothing : offer(message.handoffOffer)}
    ${message.citations.length === 0 ? nothing : citations(view, message.citations)}
  </li>`;
}

function authorOf(message: Message): string {
  if (message.role === "visitor") return "Customer";
  if (message.role === "agent") return "Agent";
  return message.author?.name ?? "Teammate";
}

function file(item: File): Markup {
  const href = `/console/chats/${item.chatId}/files/${item.id}`;
  const name = html`<bdi>${item.filename}</bdi> <small>${item.mediaType}, ${byteCount(item.byteSize)}</small>`;
  if (item.mediaType.startsWith("image/"))
    return html`<p><a href="${href}" target="_blank" rel="noopener"><img src="${href}" alt="${item.filename}" loading="lazy" width="240" height="180"></a> ${name}</p>`;
  return html`<p><a href="${href}" download>${name}</a></p>`;
}

function product(item: Product): Markup {
  const title = html`<bdi>${item.title}</bdi>`;
  return html`<article>
    ${item.imageUrl === null ? nothing : html`<img src="${item.imageUrl}" alt="" loading="lazy" width="96" height="72" referrerpolicy="no-referrer">`}
    <p><strong>${link(item.productUrl, title)}</strong></p>
    <p><small>${[item.brand, item.id].filter((part) => part !== null).join(" · ")}</small></p>
    <p>${price(item)} <small>${stock(item)}</small></p>
  </article>`;
}

function price({ price: cost }: Product): Markup {
  if (cost === null) return html`<small>no price</small>`;
  const was =
    cost.was === null
      ? nothing
      : html` <s><span class="visually-hidden">was </span>${money(cost.was, cost.currency)}</s>`;
  return html`<strong>${cost.from ? "from " : ""}${money(cost.amount, cost.currency)}</strong>${was}`;
}

function stock(item: Product): string {
  const stockText = item.inStock === null ? "stock unknown" : item.inStock ? "in stock" : "sold out";
  return item.clickAndCollectOnly ? `${stockText}, to collect only` : stockText;
}

function order(item: Order): Markup {
  const rows = [
    ["Placed", item.placedLabel],
    ["Due", item.dueLabel],
    ["In the workshop", item.servicedItem],
    ["Shop", item.store === null ? null : [item.store.name, item.store.phone].filter(Boolean).join(", ")],
  ] as const;
  return html`<article aria-label="Order ${item.reference}">
    <p><strong><bdi>${item.reference}</bdi></strong> <small>${item.kind}</small> <mark>${item.status}</mark></p>
    <dl>${rows.map(([name, value]) => (value === null ? nothing : html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`))}</dl>
    ${item.items.length === 0 ? nothing : html`<ul>${item.items.map((line) => html`<li><bdi>${line.description}</bdi> × ${line.quantity}${arrival(line.arrived)}</li>`)}</ul>`}
  </article>`;
}

function arrival(arrived: boolean | null): Markup | string {
  if (arrived === null) return nothing;
  return html` <small>${arrived ? "arrived" : "not yet"}</small>`;
}

function form({ request, fields }: Collection): Markup | string {
  if (request === null) return nothing;
  const labels = new Map(fields.map((field) => [field.id, field.label]));
  return html`<article aria-label="Form">
    <p><strong dir="auto">${request.purpose}</strong></p>
    <ul>${request.fields.map((entry) => html`<li><bdi>${labels.get(entry.fieldId) ?? entry.fieldId}</bdi>${entry.required ? "" : html` <small>optional</small>`}</li>`)}</ul>
  </article>`;
}

function offer(handoff: NonNullable<Message["handoffOffer"]>): Markup {
  const availability =
    handoff.nextAvailableAt === null
      ? "the team is available"
      : `the team is back ${comingMoment(new Date(handoff.nextAvailableAt), handoff.timezone ?? "UTC")}`;
  return html`<p><small>Offered to pass the chat to the team: ${availability}${handoff.requiresEmail ? ", and asked for an email address" : ""}.</small></p>`;
}

function citations(view: ConsoleView, items: readonly Citation[]): Markup {
  return html`<details><summary>${items.length === 1 ? "1 source" : `${items.length} sources`}</summary><ol>${items.map(
    (item) =>
      html`<li>${link(item.url, html`<bdi>${item.title}</bdi>`)}${item.updatedAt === null ? nothing : html` <small>updated ${moment(item.updatedAt, view)}</small>`}</li>`,
  )}</ol></details>`;
}

/** Only http and https addresses become links, because an agent's answer may contain anything. */
function link(url: string | null, label: Markup): Markup {
  if (url === null || !/^https?:\/\//i.test(url)) return label;
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${label}</a>`;
}
