/** The channel's latest requests, for developers of a client. */

import type { SeenRequest } from "../http/request-history.ts";
import { html, type Markup, nothing } from "./markup.ts";

export interface RequestFilter {
  onlyRefused: boolean;
}

export function requestsPage(requests: readonly SeenRequest[], filter: RequestFilter): Markup {
  const shown = requests.filter((request) => !filter.onlyRefused || request.status >= 400);
  return html`<div class="sheet">
    <div class="row"><h1>Requests</h1>
      <nav class="sections" aria-label="Which requests">
        <a href="/console/requests"${filter.onlyRefused ? nothing : html` aria-current="true"`}>All</a>
        <a href="/console/requests?refused=1"${filter.onlyRefused ? html` aria-current="true"` : nothing}>Refused</a>
      </nav>
    </div>
    <p class="faint">The latest ones that this process has seen, the newest first. They are kept in memory: another process on the same database has its own, and a restart forgets them.</p>
    <div class="table-frame" tabindex="0" role="region" aria-label="Requests, the newest first">
      <table id="requests" data-live="requests">
        <thead><tr><th scope="col">Time</th><th scope="col">Method</th><th scope="col">Operation</th><th scope="col">Status</th><th scope="col">Code</th><th scope="col" class="number">Took</th><th scope="col">Chat</th><th scope="col">Request ID</th></tr></thead>
        <tbody>${shown.map(row)}</tbody>
      </table>
    </div>
    <div id="requests-none" data-live="requests-none">${shown.length === 0 ? html`<p class="empty">Nothing yet.</p>` : nothing}</div>
  </div>`;
}

function row(request: SeenRequest): Markup {
  const { operation, chatId, status, errorCode } = request;
  return html`<tr id="${request.requestId}">
    <td><time datetime="${request.seenAt.toISOString()}">${request.seenAt.toISOString().slice(11, 23)}</time></td>
    <td>${request.method}</td>
    <td>${operation ?? html`<span class="mono">${request.path.slice(0, 80)}</span>`}${request.isReplay === true ? html` <span class="chip">replay</span>` : nothing}</td>
    <td class="${status < 400 ? "status-good" : "status-bad"}">${status}</td>
    <td>${errorCode ?? nothing}</td>
    <td class="number">${request.milliseconds.toFixed(1)} ms</td>
    <td>${chatId === undefined ? nothing : html`<a href="/console/chats/${chatId}" class="mono">${chatId.slice(0, 14)}…</a>`}</td>
    <td class="mono">${request.requestId}</td>
  </tr>`;
}
