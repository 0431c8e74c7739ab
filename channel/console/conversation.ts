/** A chat and the actions that the team can take. */
import {
  type Collection,
  type CollectionValue,
  type Field,
  valueStatuses,
} from "#lib/chat-api/collection.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { html, type Markup, nothing } from "../http/pages.ts";
import type { TeamChat } from "../team/team-inbox.ts";
import type { ConsoleView } from "./layout.ts";
import { facts, messageItem } from "./message.ts";
import { comingMoment, customerLabel, modeNames, moment, waiting } from "./wording.ts";

export function conversation(view: ConsoleView, item: TeamChat, submissionKey: string): Markup {
  const { chat } = item;
  return html`<section aria-labelledby="customer">
    <header>
      <a class="back" href="${view.base}?mode=${chat.mode}">← Inbox</a>
      <div class="row"><h1 id="customer"><bdi>${customerLabel(chat.userId)}</bdi></h1>
      <p id="state"><mark>${modeNames[chat.mode]}${chat.teammate === null ? nothing : html`: <bdi>${chat.teammate.name}</bdi>`}</mark>${item.isAnswering ? html` <mark>is answering</mark>` : nothing}${item.waitingSince === null ? nothing : html` ${waiting(view, item.waitingSince)}`}</p></div>
      <small>${item.locale} · since ${moment(chat.createdAt, view)} · <code>${chat.id}</code></small>
    </header>
    <div id="scroller" tabindex="0" role="region" aria-label="Messages">
      <div id="messages">
        ${item.hasEarlier || !chat.historyComplete ? html`<p><small>Earlier messages are not shown here.</small></p>` : nothing}
        <ol aria-live="polite" aria-relevant="additions">${item.messages.map((message) => messageItem(view, message))}</ol>
      </div>
    </div>
    <footer><div id="actions">${actions(view, item)}</div>${composer(view, item, submissionKey)}</footer>
  </section>`;
}

function actions(view: ConsoleView, { chat }: TeamChat): Markup {
  const form = (name: string, label: string, weight = "") =>
    html`<form method="post" action="${view.base}/chats/${chat.id}/${name}"><button id="action-${name}" value="${weight}" type="submit">${label}</button></form>`;
  const release = form("release", "Return to the agent");
  const resolve = form("resolve", "Resolve");
  const group = (...buttons: Markup[]) =>
    html`<div class="row" role="group" aria-label="This chat">${buttons}</div>`;
  if (chat.mode === "waiting")
    return group(form("claim", "Claim", "primary"), release, form("fail", "Could not be reached"), resolve);
  if (chat.mode === "agent") return group(form("claim", "Take over from the agent", "primary"));
  if (chat.mode === "resolved") return html`<p>This chat is closed. The customer can start a new one.</p>`;
  if (chat.teammate?.name === view.teammate) return group(release, resolve);
  return group(form("take-over", `Take over from ${chat.teammate?.name ?? "the team"}`), resolve);
}

/** Updates of the page keep what is typed, and the key of the message (`console.js`). */
function composer(view: ConsoleView, { chat }: TeamChat, submissionKey: string): Markup {
  const isMine = chat.mode === "teammate" && chat.teammate?.name === view.teammate;
  return html`<form id="composer" method="post" action="${view.base}/chats/${chat.id}/messages" data-clear${isMine ? nothing : html` hidden`}>
    <input type="hidden" name="key" id="reply-key" data-fresh value="${submissionKey}">
    <label class="visually-hidden" for="reply">Reply as ${view.teammate}</label>
    <textarea id="reply" name="text" rows="2" maxlength="${limits.messageTextLength}" dir="auto" placeholder="Reply as ${view.teammate}" required></textarea>
    <button value="primary" type="submit">Send</button>
    <small class="hint">Ctrl + Enter sends</small>
  </form>`;
}

export function details(view: ConsoleView, item: TeamChat): Markup {
  const { chat } = item;
  const path = `${view.base}/chats/${chat.id}`;
  return html`<aside aria-label="Details">
    <section id="handoff"><h2>Handoff</h2>${handoff(view, item)}</section>
    <section id="collected"><h2>Collected details</h2>${collected(view, item.collection)}</section>
    ${chat.mode === "resolved" ? nothing : html`${editor(path, item.collection)}${asking(path)}`}
  </aside>`;
}

function handoff(view: ConsoleView, { chat, email }: TeamChat): Markup {
  if (chat.handoff === null) return html`<p><small>The customer has not asked for the team.</small></p>`;
  const { status, requestedAt, requiresEmail, nextAvailableAt, timezone } = chat.handoff;
  return facts([
    ["Status", status],
    ["Asked", moment(requestedAt, view)],
    ["Reply by", requiresEmail ? "email" : "chat"],
    ["Email", email && html`<a href="mailto:${encodeURIComponent(email)}"><bdi>${email}</bdi></a>`],
    ["Team back", nextAvailableAt && comingMoment(new Date(nextAvailableAt), timezone ?? view.timeZone)],
  ]);
}

function collected(view: ConsoleView, collection: Collection): Markup {
  const { request, values, missing, error } = collection;
  if (values.length === 0 && request === null) return html`<p><small>Nothing yet.</small></p>`;
  const label = (id: string) => collection.fields.find((field) => field.id === id)?.label ?? id;
  const open =
    request === null
      ? nothing
      : html`<p dir="auto">${request.purpose}</p><p><small>${missing.length === 0 ? "Everything required is answered." : html`Still missing: <bdi>${missing.map(label).join(", ")}</bdi>`}</small></p>${error === null ? nothing : html`<p data-tone="bad" dir="auto">Last attempt: ${error}</p>`}`;
  return html`${open}<dl>${values.map(
    (value) =>
      html`<div><dt><bdi>${label(value.fieldId)}</bdi></dt><dd><bdi>${shownAnswer(collection, value)}</bdi>${value.status === "accepted" ? nothing : html` <mark>${value.status}</mark>`} <small>${value.actor === "teammate" ? "by the team, " : ""}${moment(value.updatedAt, view)}</small></dd></div>`,
  )}</dl>`;
}

function shownAnswer({ fields }: Collection, { fieldId, value }: CollectionValue): string {
  const choices = fields.find((field) => field.id === fieldId)?.choices ?? [];
  return choices.find(({ id }) => id === value)?.label ?? value ?? "–";
}

function editor(path: string, { fields, values }: Collection): Markup | string {
  if (fields.length === 0) return nothing;
  return html`<details><summary>Correct a detail</summary>${fields.map((field) => {
    const detail = values.find((value) => value.fieldId === field.id);
    return html`<form method="post" action="${path}/details">
      <input type="hidden" name="fieldId" value="${field.id}">
      <label><bdi>${field.label}</bdi> ${answerControl(field, detail?.value ?? "")}</label>
      <label>Status <select name="status">${valueStatuses.map((status) => html`<option${status === detail?.status ? " selected" : ""}>${status}</option>`)}</select></label>
      <button type="submit">Save</button>
    </form>`;
  })}</details>`;
}

function answerControl({ type, choices }: Field, answer: string): Markup {
  if (type !== "choice")
    return html`<input name="value" value="${answer}" maxlength="${limits.answerLength}" dir="auto">`;
  return html`<select name="value"><option value="">–</option>${choices.map(({ id, label }) => html`<option value="${id}"${id === answer ? " selected" : ""}>${label}</option>`)}</select>`;
}

function asking(path: string): Markup {
  return html`<details><summary>Ask for details</summary>
    <form method="post" action="${path}/form" data-clear>
      <label>Why you ask <input name="purpose" required maxlength="500" dir="auto" placeholder="So that the workshop can call you"></label>
      <label>Question <input name="label" maxlength="200" dir="auto" required></label>
      <label>Kind <select name="type"><option value="text">text</option><option value="email">email</option><option value="choice">choice</option></select></label>
      <label>Options, separated by commas <input name="choices" maxlength="1000" dir="auto"></label>
      <label><input type="checkbox" name="required" checked> Required</label>
      <label><input type="checkbox" name="canSkip"> May be skipped</label>
      <button type="submit">Ask</button>
    </form>
  </details>`;
}
