/** One message with what it carries: all that the customer can read, without the pictures of products. */
import type { Collection } from "#lib/chat-api/collection.ts";
import type { File } from "#lib/chat-api/file.ts";
import type { Message } from "#lib/chat-api/message.ts";
import type { Order } from "#lib/chat-api/order.ts";
import type { Product } from "#lib/chat-api/product.ts";
import { html, type Markup, nothing } from "../http/pages.ts";
import type { ConsoleView } from "./layout.ts";
import { byteCount, comingMoment, moment } from "./wording.ts";

export function messageItem(view: ConsoleView, message: Message): Markup {
  const { id, role, text, choices, citations, products, orders } = message;
  if (role === "system")
    return html`<li data-role="system" id="${id}"><small><span dir="auto">${text}</span> ${moment(message.createdAt, view)}</small></li>`;
  const author = role === "visitor" ? "Customer" : role === "agent" ? "Agent" : message.author?.name;
  return html`<li data-role="${role}" id="${id}">
    <p><strong><bdi>${author ?? "Teammate"}</bdi></strong> <small>${moment(message.createdAt, view)}</small></p>
    ${text === "" ? nothing : html`<blockquote dir="auto">${text}</blockquote>`}
    ${message.files.map((file) => fileLink(view, file))}
    ${list(
      "Products",
      products.map(
        (product) => html`${link(product.productUrl, product.title)} <small>${productFacts(product)}</small>`,
      ),
    )}
    ${list("Orders", orders.map(orderItem))}
    ${list(
      "Replies offered",
      choices.map((choice) => html`<span dir="auto">${choice}</span>`),
    )}
    ${message.collection === null ? nothing : form(message.collection)}
    ${message.handoffOffer === null ? nothing : offer(message.handoffOffer)}
    ${list(
      "Sources",
      citations.map(
        ({ title, url, updatedAt }) =>
          html`${link(url, title)}${updatedAt === null ? nothing : html` <small>updated ${moment(updatedAt, view)}</small>`}`,
      ),
    )}
  </li>`;
}

function list(label: string, items: readonly Markup[]): Markup | string {
  if (items.length === 0) return nothing;
  return html`<article><p><small>${label}</small></p><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></article>`;
}

function productFacts({ price, inStock, clickAndCollectOnly, brand, id }: Product): string {
  const stock = inStock === null ? "stock unknown" : inStock ? "in stock" : "sold out";
  const cost = price && `${price.from ? "from " : ""}${price.amount} ${price.currency}`;
  const former = price?.was != null && `was ${price.was} ${price.currency}`;
  return [cost ?? "no price", former, stock, clickAndCollectOnly && "to collect only", brand, id]
    .filter(Boolean)
    .join(" · ");
}

function orderItem({ reference, status, store, items, ...order }: Order): Markup {
  return html`<bdi>${reference}</bdi> <small>${order.kind}</small> <mark>${status}</mark>
    ${facts([
      ["Placed", order.placedLabel],
      ["Due", order.dueLabel],
      ["In the workshop", order.servicedItem],
      ["Shop", store && html`<bdi>${store.name}</bdi> <bdi>${store.phone ?? ""}</bdi>`],
    ])}
    <small>${items.map(({ description, quantity, arrived }) => html`<bdi>${description}</bdi> × ${quantity}${arrived === null ? nothing : arrived ? ", arrived" : ", not here yet"}<br>`)}</small>`;
}

/** Names with their values, without those that are unknown. */
export function facts(rows: readonly (readonly [name: string, value: Markup | string | null])[]): Markup {
  return html`<dl>${rows.map(([name, value]) => (value === null ? nothing : html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`))}</dl>`;
}

function fileLink({ base }: ConsoleView, { id, chatId, filename, mediaType, byteSize }: File): Markup {
  const href = `${base}/chats/${chatId}/files/${id}`;
  const name = html`<bdi>${filename}</bdi> <small>${mediaType}, ${byteCount(byteSize)}</small>`;
  if (mediaType.startsWith("image/"))
    return html`<p><a href="${href}" target="_blank" rel="noopener"><img src="${href}" alt="${filename}" loading="lazy" width="240" height="180"></a> ${name}</p>`;
  return html`<p><a href="${href}" download>${name}</a></p>`;
}

function form({ request, fields }: Collection): Markup | string {
  const label = (id: string) => fields.find((field) => field.id === id)?.label ?? id;
  const asked = (request?.fields ?? []).map(
    ({ fieldId, required }) =>
      html`<bdi>${label(fieldId)}</bdi>${required ? nothing : html` <small>optional</small>`}`,
  );
  return list(request?.purpose ?? "", asked);
}

function offer({ nextAvailableAt, timezone, requiresEmail }: NonNullable<Message["handoffOffer"]>): Markup {
  const back = nextAvailableAt && `back ${comingMoment(new Date(nextAvailableAt), timezone ?? "UTC")}`;
  return html`<p><small>Offered to pass the chat to the team: the team is ${back ?? "available"}${requiresEmail ? ", and asked for an email address" : ""}.</small></p>`;
}

/** Only http and https addresses become links, because an agent's answer may contain anything. */
function link(url: string | null, title: string): Markup {
  const label = html`<bdi>${title}</bdi>`;
  if (url === null || !/^https?:\/\//i.test(url)) return label;
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${label}</a>`;
}
