/** One message as the customer sees it, with everything that it carries. */
import type { Collection } from "#lib/chat-api/collection.ts";
import type { File } from "#lib/chat-api/file.ts";
import type { Citation, Message } from "#lib/chat-api/message.ts";
import type { Order } from "#lib/chat-api/order.ts";
import type { Product } from "#lib/chat-api/product.ts";
import { html, icon, type Markup, nothing } from "./markup.ts";
import type { ConsoleView } from "./view.ts";
import { byteCount, comingMoment, moment, money } from "./wording.ts";

export function messageItem(view: ConsoleView, message: Message): Markup {
  if (message.role === "system")
    return html`<li class="notice-line" id="${message.id}"><span dir="auto">${message.text}</span> <span class="faint">${moment(message.createdAt, view)}</span></li>`;
  return html`<li class="message message-${message.role}" id="${message.id}">
    <p class="message-head"><bdi>${authorOf(message)}</bdi> <span class="faint">${moment(message.createdAt, view)}</span></p>
    ${message.text === "" ? nothing : html`<p class="bubble" dir="auto">${message.text}</p>`}
    ${message.files.map(file)}
    ${message.products.length === 0 ? nothing : html`<ul class="cards" aria-label="Products">${message.products.map(product)}</ul>`}
    ${message.orders.map(order)}
    ${message.choices.length === 0 ? nothing : html`<ul class="choices" aria-label="Replies offered">${message.choices.map((choice) => html`<li class="chip" dir="auto">${choice}</li>`)}</ul>`}
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
  const name = html`<bdi class="file-name">${item.filename}</bdi> <span class="faint">${item.mediaType}, ${byteCount(item.byteSize)}</span>`;
  if (item.mediaType.startsWith("image/"))
    return html`<p class="file"><a href="${href}" target="_blank" rel="noopener"><img src="${href}" alt="${item.filename}" loading="lazy" width="240" height="180"></a> ${name}</p>`;
  return html`<p class="file">${icon("file")} <a href="${href}" download>${name}</a></p>`;
}

function product(item: Product): Markup {
  const title = html`<bdi>${item.title}</bdi>`;
  return html`<li class="card">
    ${item.imageUrl === null ? html`<span class="card-picture">${icon("box")}</span>` : html`<img class="card-picture" src="${item.imageUrl}" alt="" loading="lazy" width="96" height="72" referrerpolicy="no-referrer">`}
    <div>
      <p class="card-title">${link(item.productUrl, title)}</p>
      <p class="faint">${[item.brand, item.id].filter((part) => part !== null).join(" · ")}</p>
      <p>${price(item)} <span class="faint">${stock(item)}</span></p>
    </div>
  </li>`;
}

function price({ price: known }: Product): Markup {
  if (known === null) return html`<span class="faint">no price</span>`;
  const was =
    known.was === null
      ? nothing
      : html` <s><span class="visually-hidden">was </span>${money(known.was, known.currency)}</s>`;
  return html`<strong>${known.from ? "from " : ""}${money(known.amount, known.currency)}</strong>${was}`;
}

function stock(item: Product): string {
  const known = item.inStock === null ? "stock unknown" : item.inStock ? "in stock" : "sold out";
  return item.clickAndCollectOnly ? `${known}, to collect only` : known;
}

function order(item: Order): Markup {
  const rows = [
    ["Placed", item.placedLabel],
    ["Due", item.dueLabel],
    ["In the workshop", item.servicedItem],
    ["Shop", item.store === null ? null : [item.store.name, item.store.phone].filter(Boolean).join(", ")],
  ] as const;
  return html`<div class="order" role="group" aria-label="Order ${item.reference}">
    <p class="card-title"><bdi>${item.reference}</bdi> <span class="chip">${item.kind}</span> <span class="chip${item.complete ? " chip-good" : ""}">${item.status}</span></p>
    <dl class="facts">${rows.map(([name, value]) => (value === null ? nothing : html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`))}</dl>
    ${item.items.length === 0 ? nothing : html`<ul>${item.items.map((line) => html`<li><bdi>${line.description}</bdi> × ${line.quantity}${arrival(line.arrived)}</li>`)}</ul>`}
  </div>`;
}

function arrival(arrived: boolean | null): Markup | string {
  if (arrived === null) return nothing;
  return html` <span class="chip${arrived ? " chip-good" : ""}">${arrived ? "arrived" : "not yet"}</span>`;
}

function form({ request, fields }: Collection): Markup | string {
  if (request === null) return nothing;
  const labels = new Map(fields.map((field) => [field.id, field.label]));
  return html`<div class="form-card" role="group" aria-label="Form">
    <p class="card-title">${icon("form")} <span dir="auto">${request.purpose}</span></p>
    <ul>${request.fields.map((entry) => html`<li><bdi>${labels.get(entry.fieldId) ?? entry.fieldId}</bdi>${entry.required ? "" : html` <span class="faint">optional</span>`}</li>`)}</ul>
  </div>`;
}

function offer(handoff: NonNullable<Message["handoffOffer"]>): Markup {
  const availability =
    handoff.nextAvailableAt === null
      ? "the team is available"
      : `the team is back ${comingMoment(new Date(handoff.nextAvailableAt), handoff.timezone ?? "UTC")}`;
  return html`<p class="faint">${icon("people")} Offered to pass the chat to the team: ${availability}${handoff.requiresEmail ? ", and asked for an email address" : ""}.</p>`;
}

function citations(view: ConsoleView, items: readonly Citation[]): Markup {
  return html`<details class="citations"><summary>${items.length === 1 ? "1 source" : `${items.length} sources`}</summary><ol>${items.map(
    (item) =>
      html`<li>${link(item.url, html`<bdi>${item.title}</bdi>`)}${item.updatedAt === null ? nothing : html` <span class="faint">updated ${moment(item.updatedAt, view)}</span>`}</li>`,
  )}</ol></details>`;
}

/** Only http and https addresses become links, because an agent's answer may contain anything. */
function link(url: string | null, label: Markup): Markup {
  if (url === null || !/^https?:\/\//i.test(url)) return label;
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${label}</a>`;
}
