/** A channel for developers of a client: its clock, faults, requests and notices, and the other channels. */
import { html, type Markup, nothing } from "../http/pages.ts";
import type { Fault } from "../lab/faults.ts";
import type { DeliveredNotice, ListedChannel, RecordedRequest } from "../lab/lab-client.ts";
import type { pendingReplies } from "../lab/scripted-replies.ts";
import { type ConsoleView, data, form, table } from "./layout.ts";
import { moment } from "./wording.ts";

/** A request of the list, without its headers and bodies. */
export type RequestSummary = Omit<RecordedRequest, "url" | "request" | "response" | "curl">;

/** `GET /lab` */
export interface LabState {
  now: string;
  published: boolean;
  suspended: boolean;
  limits: Record<string, number>;
  faults: readonly Fault[];
  replies: Awaited<ReturnType<typeof pendingReplies>>;
}

interface Shown {
  lab: LabState;
  requests: readonly RequestSummary[];
  /** Whether the list has reads that succeeded, such as polls. */
  hasReads: boolean;
  notices: readonly DeliveredNotice[];
  channels: readonly ListedChannel[];
}

export function labPage(view: ConsoleView, { lab, requests, hasReads, notices, channels }: Shown): Markup {
  const { base } = view;
  const { faults, replies, now, limits, published, suspended } = lab;
  const chat = (id: string | null | undefined) =>
    id == null ? "any" : html`<a href="${base}/chats/${id}"><code>${id.slice(0, 14)}…</code></a>`;
  const spans = { 60: "a minute", 3600: "an hour", 86400: "a day", 604800: "a week" };
  const latestFirst = channels.toSorted((a, b) =>
    (b.lastRequestAt ?? "").localeCompare(a.lastRequestAt ?? ""),
  );
  return html`<div class="sheet">
    <h1>Lab</h1>
    <section id="clock"><h2>Clock</h2>
      <p><strong>${moment(now, view)}</strong> <small>${now}</small></p>
      ${form(`${base}/lab/clock`, "Advance", html`<label>By <select name="advanceSeconds">${Object.entries(spans).map(([seconds, span]) => html`<option value="${seconds}">${span}</option>`)}</select></label>`)}
    </section>
    <details id="state"><summary>State and limits</summary>${data({ published, suspended, ...limits })}</details>
    ${table(
      "Requests",
      ["Time", "Request", "Status", "Took", "Chat"],
      requests
        .filter(({ method, status }) => hasReads || method !== "GET" || status === null || status >= 400)
        .map((seen) => [
          clockTime(seen.seenAt, 12),
          html`${seen.method} <a href="${base}/requests/${seen.requestId}">${seen.operation ?? seen.path.slice(0, 80)}</a>${seen.isReplay ? html` <mark>replay</mark>` : nothing}`,
          outcome(seen),
          took(seen),
          seen.chatId === undefined ? nothing : chat(seen.chatId),
        ]),
    )}
    <p><small>The latest of this process, newest first. <a href="${base}/lab${hasReads ? nothing : "?reads"}#requests">${hasReads ? "Hide" : "Show"} reads that succeeded</a></small></p>
    ${table(
      "Faults",
      ["Operation", "Fault", "At", "Left"],
      faults.map(({ id: _, operation, fault, at, remaining, ...details }) => [
        operation,
        html`${fault} <small>${Object.entries(details).flat().join(" ")}</small>`,
        at,
        String(remaining),
      ]),
    )}
    ${faults.length === 0 ? nothing : form(`${base}/lab/faults`, "Clear the faults")}
    ${table(
      "Scripted replies",
      ["Chat", "Text", "State"],
      replies.map(({ chatId, text, holdsAfter, isTaken }) => [
        chat(chatId),
        text.slice(0, 80),
        `${isTaken ? "being written" : "for a next turn"}${holdsAfter === undefined ? "" : `, paused at delta ${holdsAfter}`}`,
      ]),
    )}
    ${table(
      "Notices to the team",
      ["Time", "Kind", "Chat", "Content"],
      notices.map(({ deliveredAt, kind, chatId, payload }) => [
        clockTime(deliveredAt),
        kind,
        chat(chatId),
        html`<code>${JSON.stringify(payload)}</code>`,
      ]),
    )}
    ${table(
      "Channels of tests",
      ["Channel", "Last request"],
      latestFirst.map(({ channelKey, lastRequestAt }) => [
        html`<a href="/console/channels/${channelKey}"><code>${channelKey}</code></a>`,
        lastRequestAt === null ? "none yet" : clockTime(lastRequestAt),
      ]),
    )}
    <p><small>Those that tests have created and not dropped, beside <a href="/console">the first one</a>.</small></p>
  </div>`;
}

/** A request and its response whole. */
export function requestPage({ base }: ConsoleView, seen: RecordedRequest): Markup {
  const { operation, path, seenAt, requestId } = seen;
  const message = (title: string, line: Markup, { headers, body }: RecordedRequest["request"]) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return html`<h2>${title}</h2><p>${line}</p>${[lines.join("\n"), body].filter(Boolean).map(text)}`;
  };
  return html`<div class="sheet">
    <h1>${operation ?? path}</h1>
    <p>${seenAt} · <code>${requestId}</code></p>
    ${message("Request", html`${seen.method} <code>${seen.url}</code>`, seen.request)}
    ${message("Response", html`${outcome(seen)} ${took(seen)}`, seen.response)}
    <h2>curl</h2>
    ${text(seen.curl)}
    <p><a href="${base}/lab">Back to the lab</a></p>
  </div>`;
}

/** The status; an open request has none. A fault tells it from one of the channel's own. */
function outcome({ status, code, fault }: RequestSummary): Markup {
  const shown = status === null ? html`<mark data-tone="warn">pending</mark>` : html`${status}`;
  const refused = status !== null && status >= 400 ? html`<mark data-tone="bad">${status}</mark>` : shown;
  return html`${refused} ${code ?? nothing}${fault === undefined ? nothing : html` <mark data-tone="warn">fault: ${fault}</mark>`}`;
}

const took = ({ milliseconds }: RequestSummary) =>
  milliseconds === null ? "" : `${milliseconds.toFixed(1)} ms`;

const text = (content: string) => html`<pre tabindex="0">${content}</pre>`;

/** The time of day in UTC, to the second by default. */
const clockTime = (iso: string, length = 8) =>
  html`<time datetime="${iso}" title="${iso}">${iso.slice(11, 11 + length)}</time>`;
