/** The channel's latest requests, for developers of a client. */

import { curlOf, withoutKeys } from "../http/exchange.ts";
import { html, type Markup, nothing } from "../http/markup.ts";
import type { SeenRequest } from "../http/request-history.ts";

/** `folded`: reads that a client repeats, as a page that polls, count as one. */
export type RequestFilter = "folded" | "all" | "refused";

const filterNames: Record<RequestFilter, string> = {
  folded: "Repeated reads folded",
  all: "All",
  refused: "Refused",
};

export function isRequestFilter(word: string | undefined): word is RequestFilter {
  return word !== undefined && Object.hasOwn(filterNames, word);
}

export function requestsPage(requests: readonly SeenRequest[], filter: RequestFilter): Markup {
  const shown = filter === "refused" ? requests.filter(({ status }) => status >= 400) : requests;
  const rows = filter === "folded" ? folded(shown) : shown.map((request) => ({ request, times: 1 }));
  return html`<div class="sheet">
    <div class="row"><h1>Requests</h1>
      <nav aria-label="Which requests">${Object.entries(filterNames).map(
        ([name, label]) =>
          html`<a href="/console/requests?show=${name}"${name === filter ? html` aria-current="true"` : nothing}>${label}</a>`,
      )}</nav>
    </div>
    <p><small>The latest requests that this process has seen, newest first. They are kept in memory: another process on the same database has its own, and a restart forgets them.</small></p>
    <div class="table" tabindex="0" role="region" aria-label="Requests, newest first">
      <table id="requests" data-live="requests">
        <thead><tr><th scope="col">Time</th><th scope="col">Method</th><th scope="col">Operation</th><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Took</th><th scope="col">Chat</th><th scope="col">Request ID</th></tr></thead>
        <tbody>${rows.map(row)}</tbody>
      </table>
    </div>
    <p id="requests-none" data-live="requests-none">${rows.length === 0 ? "Nothing yet." : nothing}</p>
  </div>`;
}

interface Row {
  request: SeenRequest;
  times: number;
}

/** Folds the successful reads of a chat by operation, if no other request of the chat comes between. */
function folded(newestFirst: readonly SeenRequest[]): Row[] {
  const rows: Row[] = [];
  const reads = new Map<string, Map<string, Row>>();
  for (const request of newestFirst) {
    const { chatId = "", operation = request.path, method, status } = request;
    const isRead = method === "GET" && status < 400;
    if (!isRead) reads.delete(chatId);
    const ofChat = reads.get(chatId) ?? new Map<string, Row>();
    const same = isRead ? ofChat.get(operation) : undefined;
    if (same !== undefined) {
      same.times += 1;
      continue;
    }
    const row = { request, times: 1 };
    rows.push(row);
    if (isRead) reads.set(chatId, ofChat.set(operation, row));
  }
  return rows;
}

function row({ request, times }: Row): Markup {
  const { operation, chatId, status, errorCode, requestId } = request;
  return html`<tr id="${request.requestId}">
    <td><time datetime="${request.seenAt.toISOString()}">${request.seenAt.toISOString().slice(11, 23)}</time></td>
    <td>${request.method}</td>
    <td>${operation ?? html`<code>${request.path.slice(0, 80)}</code>`}${request.isReplay === true ? html` <mark>replay</mark>` : nothing}${times > 1 ? html` <small>× ${times}</small>` : nothing}</td>
    <td>${status < 400 ? status : html`<mark data-tone="bad">${status}</mark>`}</td>
    <td>${errorCode ?? nothing}</td>
    <td>${request.milliseconds.toFixed(1)} ms</td>
    <td>${chatId === undefined ? nothing : html`<a href="/console/chats/${chatId}"><code>${chatId.slice(0, 14)}…</code></a>`}</td>
    <td>${request.exchange === undefined ? html`<code>${requestId}</code>` : html`<a href="/console/requests/${requestId}"><code>${requestId}</code></a>`}</td>
  </tr>`;
}

/** A request and its response whole, which the channel keeps while the lab is on. */
export function requestPage({ exchange: kept, ...seen }: SeenRequest): Markup {
  const exchange = kept && withoutKeys(kept);
  const { method, operation = seen.path, status, requestId, milliseconds } = seen;
  if (exchange === undefined)
    return html`<div class="sheet"><h1>${operation}</h1><p>Only a channel with the lab keeps bodies.</p></div>`;
  const { url, request, response } = exchange;
  return html`<div class="sheet">
    <p><a href="/console/requests">Requests</a></p>
    <h1>${operation}</h1>
    <p>${seen.seenAt.toISOString()} · ${milliseconds.toFixed(1)} ms · <code>${requestId}</code></p>
    ${message("Request", `${method} ${url}`, request)}
    ${message("Response", `${status}`, response)}
    <h2>curl</h2>
    ${text(curlOf({ method, exchange }))}
  </div>`;
}

function message(title: string, line: string, { headers, body }: { headers: object; body: string }): Markup {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return html`<h2>${title}</h2>
    ${text([line, ...lines].join("\n"))}
    ${body === "" ? nothing : text(body)}`;
}

/** Scrolls sideways, so the keyboard must reach it. */
function text(content: string): Markup {
  return html`<pre tabindex="0">${content}</pre>`;
}
