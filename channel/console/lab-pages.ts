/** A channel for developers of a client: its requests, clock, faults and notices, and the other channels. */
import { html, type Markup, nothing } from "../http/pages.ts";
import type { DeliveredNotice, ListedChannel, RecordedRequest } from "../lab/lab-client.ts";
import type { ConsoleView, LabState } from "./layout.ts";
import { comingMoment } from "./wording.ts";

/** A request of the list, without its headers and bodies. */
export type RequestSummary = Omit<RecordedRequest, "url" | "request" | "response" | "curl">;

const isRefused = ({ status }: RequestSummary) => status >= 400;

/** The first is the default. */
const filters = [
  {
    name: "changes",
    label: "Writes and refusals",
    shows: (seen: RequestSummary) => seen.method !== "GET" || isRefused(seen),
  },
  { name: "all", label: "All", shows: () => true },
  { name: "refused", label: "Refused", shows: isRefused },
] as const;

/** @param asked The name of a filter */
export function requestsPage(
  { base }: ConsoleView,
  requests: readonly RequestSummary[],
  asked: string | undefined,
): Markup {
  const filter = filters.find(({ name }) => name === asked) ?? filters[0];
  const rows = requests.filter(filter.shows).map(
    ({ requestId, method, operation, path, fault, status, code, ...seen }) => html`<tr id="${requestId}">
      <td>${time(seen.seenAt, 12)}</td>
      <td>${method}</td>
      <td><a href="${base}/requests/${requestId}">${operation ?? path.slice(0, 80)}</a>${seen.isReplay ? html` <mark>replay</mark>` : nothing}${faultMark(fault)}</td>
      <td>${status < 400 ? status : html`<mark data-tone="bad">${status}</mark>`} ${code ?? nothing}</td>
      <td>${seen.milliseconds.toFixed(1)} ms</td>
      <td>${chatLink(base, seen.chatId)}</td>
    </tr>`,
  );
  return html`<div class="sheet">
    <div class="row"><h1>Requests</h1>
      <nav aria-label="Which requests">${filters.map(({ name, label }) => html`<a href="${base}/requests?show=${name}"${name === filter.name ? html` aria-current="true"` : nothing}>${label}</a>`)}</nav>
    </div>
    <p><small>The latest requests that this process has seen, newest first. A restart forgets them.</small></p>
    ${table("requests", ["Time", "Method", "Operation", "Status", "Took", "Chat"], rows)}
  </div>`;
}

/** A request and its response whole. */
export function requestPage({ base }: ConsoleView, seen: RecordedRequest): Markup {
  const { operation, path, milliseconds } = seen;
  const message = (title: string, line: string, { headers, body }: RecordedRequest["request"]) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return html`<h2>${title}</h2>${text([line, ...lines].join("\n"))}${body === "" ? nothing : text(body)}`;
  };
  return html`<div class="sheet">
    <p><a href="${base}/requests">Requests</a></p>
    <h1>${operation ?? path}${faultMark(seen.fault)}</h1>
    <p>${seen.seenAt} · ${milliseconds.toFixed(1)} ms · <code>${seen.requestId}</code></p>
    ${message("Request", `${seen.method} ${seen.url}`, seen.request)}
    ${message("Response", String(seen.status), seen.response)}
    <h2>curl</h2>
    ${text(seen.curl)}
  </div>`;
}

export function labPage(view: ConsoleView, notices: readonly DeliveredNotice[]): Markup {
  const { base, lab, now, timeZone } = view;
  const { faults = [], replies = [], limits = {}, published, suspended } = lab ?? {};
  const state = suspended === true ? "suspended" : published === false ? "not published" : "published";
  return html`<div class="sheet">
    <h1>Lab</h1>
    <section aria-labelledby="clock-title">
      <h2 id="clock-title">Clock</h2>
      <p id="clock"><strong>${comingMoment(now, timeZone)}</strong> <small>${now.toISOString()}</small></p>
      <form class="row" method="post" action="${base}/lab/clock">
        <label>Advance by <select name="advanceSeconds"><option value="60">a minute</option><option value="3600">an hour</option><option value="86400">a day</option><option value="604800">a week</option></select></label>
        <button value="primary" type="submit">Advance</button>
      </form>
    </section>
    <section aria-labelledby="channel-title">
      <h2 id="channel-title">Channel</h2>
      <p id="channel">The channel is ${state}. <small>${Object.entries(limits)
        .map(([name, limit]) => `${name} ${limit}`)
        .join(", ")}</small></p>
    </section>
    <section aria-labelledby="faults-title">
      <h2 id="faults-title">Faults</h2>
      ${table("faults", ["Operation", "Fault", "When", "Left"], faults.map(faultRow))}
      <form method="post" action="${base}/lab/faults/clear"><button type="submit">Clear the faults</button></form>
    </section>
    <section aria-labelledby="replies-title">
      <h2 id="replies-title">Scripted replies</h2>
      ${table(
        "replies",
        ["Chat", "Text", "State"],
        replies.map(({ chatId, text, holdsAfter, isTaken }) => {
          const state = isTaken ? "being written" : "for a next turn";
          const hold = holdsAfter === undefined ? "" : `, paused at delta ${holdsAfter}`;
          return html`<tr><td>${chatId === null ? "any" : chatLink(base, chatId)}</td><td>${text.slice(0, 80)}</td><td>${state}${hold}</td></tr>`;
        }),
      )}
    </section>
    <section aria-labelledby="notices-title">
      <h2 id="notices-title">Notices to the team</h2>
      ${table(
        "notices",
        ["Time", "Kind", "Chat", "Content"],
        notices.map(
          ({ deliveredAt, kind, chatId, payload }) =>
            html`<tr><td>${time(deliveredAt, 8)}</td><td>${kind}</td><td>${chatLink(base, chatId)}</td><td><code>${JSON.stringify(payload)}</code></td></tr>`,
        ),
      )}
    </section>
  </div>`;
}

function faultRow(fault: LabState["faults"][number]): Markup {
  const { id, operation, code, milliseconds, afterDeltas, chatId } = fault;
  const details = [
    code,
    milliseconds === undefined ? undefined : `${milliseconds} ms`,
    afterDeltas === undefined ? undefined : `after ${afterDeltas} deltas`,
    chatId === undefined ? undefined : `in ${chatId}`,
  ].filter((detail) => detail !== undefined);
  return html`<tr id="fault-${id}"><td>${operation}</td><td>${fault.fault} <small>${details.join(", ")}</small></td><td>${fault.at === "request" ? "instead of it" : "after it"}</td><td>${fault.remaining}</td></tr>`;
}

/** The channels that the lab has created, latest request first. */
export function channelsPage(channels: readonly ListedChannel[]): Markup {
  const latestFirst = channels.toSorted((a, b) =>
    (b.lastRequestAt ?? "").localeCompare(a.lastRequestAt ?? ""),
  );
  const rows = latestFirst.map(
    ({ channelKey, lastRequestAt }) =>
      html`<tr id="${channelKey}"><td><a href="/console/channels/${channelKey}"><code>${channelKey}</code></a></td><td>${lastRequestAt === null ? "none yet" : time(lastRequestAt, 8)}</td></tr>`,
  );
  return html`<div class="sheet">
    <h1>Channels</h1>
    <p><a href="/console">The first channel</a>, and those that tests have created and not dropped:</p>
    ${table("channels", ["Channel", "Last request"], rows)}
  </div>`;
}

/** Tells a response that a test has caused from one of the channel's own. */
const faultMark = (fault: RecordedRequest["fault"]) =>
  fault === undefined ? nothing : html` <mark data-tone="warn">fault: ${fault}</mark>`;

/** Scrolls sideways, so the keyboard must reach it. */
function table(id: string, columns: readonly string[], rows: readonly Markup[]): Markup {
  return html`<div class="table" tabindex="0" role="region" aria-label="Table of ${id}"><table id="${id}">
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows.length === 0 ? html`<tr><td colspan="${columns.length}">None.</td></tr>` : rows}</tbody>
  </table></div>`;
}

const text = (content: string) => html`<pre tabindex="0">${content}</pre>`;

/** The time of day in UTC, to the second or millisecond. */
const time = (iso: string, length: 8 | 12) =>
  html`<time datetime="${iso}" title="${iso}">${iso.slice(11, 11 + length)}</time>`;

const chatLink = (base: string, chatId: string | undefined) =>
  chatId === undefined
    ? nothing
    : html`<a href="${base}/chats/${chatId}"><code>${chatId.slice(0, 14)}…</code></a>`;
