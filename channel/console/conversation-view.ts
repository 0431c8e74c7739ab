/** A chat and the actions that the team can take. */
import type { Collection, CollectionValue, Field } from "#lib/chat-api/collection.ts";
import { valueStatuses } from "#lib/chat-api/collection.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { html, type Markup, nothing } from "../http/markup.ts";
import type { TeamChat } from "../team/team-inbox.ts";
import { messageItem } from "./message-view.ts";
import type { ConsoleView } from "./view.ts";
import { comingMoment, customerLabel, duration, modeNames, moment } from "./wording.ts";

/** How many fields a teammate can ask for at once. */
export const askedFieldRows = 3;

export function conversation(view: ConsoleView, item: TeamChat, submissionKey: string): Markup {
  const { chat } = item;
  return html`<section aria-labelledby="customer">
    <header>
      <a class="back" href="/console">← Inbox</a>
      <div class="row"><h1 id="customer"><bdi>${customerLabel(chat.userId)}</bdi></h1>
      <p id="state" data-live="state"><mark>${modeNames[chat.mode]}${chat.teammate === null ? nothing : html`: <bdi>${chat.teammate.name}</bdi>`}</mark></p></div>
      <small>${item.locale} · since ${moment(chat.createdAt, view)} · <code>${chat.id}</code></small>
    </header>
    <div id="scroller" tabindex="0" role="region" aria-label="Messages">
      <div id="messages" data-live="messages">
        ${item.hasEarlier || !chat.historyComplete ? html`<p><small>Earlier messages are not shown here.</small></p>` : nothing}
        <ol aria-live="polite" aria-relevant="additions">${item.messages.map((message) => messageItem(view, message))}</ol>
      </div>
    </div>
    <footer><div id="actions" data-live="actions">${actions(view, item)}</div>${composer(view, item, submissionKey)}</footer>
  </section>`;
}

export function nothingChosen(): Markup {
  return html`<section id="scroller" aria-label="Conversation"><p>Choose a chat to read it.</p></section>`;
}

function actions(view: ConsoleView, { chat }: TeamChat): Markup {
  const mine = chat.mode === "teammate" && chat.teammate?.name === view.teammate;
  const buttons: Markup[] = [];
  if (chat.mode === "waiting") {
    buttons.push(action(chat.id, "claim", "Claim", "primary"));
    buttons.push(action(chat.id, "release", "Return to the agent"));
    buttons.push(action(chat.id, "fail", "Could not be reached"));
  }
  if (chat.mode === "agent") buttons.push(action(chat.id, "claim", "Take over from the agent", "primary"));
  if (chat.mode === "teammate" && !mine)
    buttons.push(action(chat.id, "take-over", `Take over from ${chat.teammate?.name ?? "the team"}`));
  if (mine) buttons.push(action(chat.id, "release", "Return to the agent"));
  if (chat.mode === "waiting" || chat.mode === "teammate")
    buttons.push(action(chat.id, "resolve", "Resolve"));
  if (buttons.length === 0) return html`<p>This chat is closed. The customer can start a new one.</p>`;
  return html`<div class="row" role="group" aria-label="This chat">${buttons}</div>`;
}

function action(chatId: string, name: string, label: string, weight = ""): Markup {
  return html`<form method="post" action="/console/chats/${chatId}/${name}"><button id="action-${name}" value="${weight}" type="submit">${label}</button></form>`;
}

/**
 * The composer is outside the live parts of the page, so that updates do not overwrite what is being typed.
 */
function composer(view: ConsoleView, { chat }: TeamChat, submissionKey: string): Markup {
  const isMine = chat.mode === "teammate" && chat.teammate?.name === view.teammate;
  return html`<form id="composer" method="post" action="/console/chats/${chat.id}/messages" data-clear data-live-hidden${isMine ? nothing : html` hidden`}>
    <input type="hidden" name="key" id="reply-key" data-fresh value="${submissionKey}">
    <label class="visually-hidden" for="reply">Reply as ${view.teammate}</label>
    <textarea id="reply" name="text" rows="2" maxlength="${limits.messageTextLength}" dir="auto" placeholder="Reply as ${view.teammate}" required></textarea>
    <button value="primary" type="submit">Send</button>
    <small class="hint">Ctrl + Enter sends</small>
  </form>`;
}

export function details(view: ConsoleView, item: TeamChat): Markup {
  const { chat } = item;
  return html`<aside aria-label="Details">
    <section id="handoff" data-live="handoff"><h2>Handoff</h2>${handoff(view, item)}</section>
    <section id="collected" data-live="collected"><h2>Collected details</h2>${collected(view, item.collection)}</section>
    ${chat.mode === "resolved" ? nothing : html`${editor(chat.id, item.collection)}${asking(chat.id)}`}
  </aside>`;
}

function handoff(view: ConsoleView, { chat, email }: TeamChat): Markup {
  if (chat.handoff === null) return html`<p><small>The customer has not asked for the team.</small></p>`;
  const { status, requestedAt, requiresEmail, nextAvailableAt, timezone } = chat.handoff;
  const waited = view.now.getTime() - Date.parse(requestedAt);
  return html`<dl>
    <div><dt>Status</dt><dd>${status}</dd></div>
    <div><dt>Asked</dt><dd>${moment(requestedAt, view)}${status === "waiting" ? html` <small>(${duration(waited)} ago)</small>` : nothing}</dd></div>
    <div><dt>Reply by</dt><dd>${requiresEmail ? "email" : "chat"}</dd></div>
    ${email === null ? nothing : html`<div><dt>Email</dt><dd><a href="mailto:${encodeURIComponent(email)}"><bdi>${email}</bdi></a></dd></div>`}
    ${nextAvailableAt === null ? nothing : html`<div><dt>Team back</dt><dd>${comingMoment(new Date(nextAvailableAt), timezone ?? view.timeZone)}</dd></div>`}
  </dl>`;
}

function collected(view: ConsoleView, collection: Collection): Markup {
  const labels = new Map(collection.fields.map((field) => [field.id, field]));
  const open =
    collection.request === null
      ? nothing
      : html`<p dir="auto">${collection.request.purpose}</p><p><small>${
          collection.missing.length === 0
            ? "Everything required is answered."
            : html`Still missing: <bdi>${collection.missing.map((id) => labels.get(id)?.label ?? id).join(", ")}</bdi>`
        }</small></p>${collection.error === null ? nothing : html`<p data-tone="bad" dir="auto">Last attempt: ${collection.error}</p>`}`;
  if (collection.values.length === 0 && collection.request === null)
    return html`<p><small>Nothing yet.</small></p>`;
  return html`${open}<dl>${collection.values.map((value) => {
    const field = labels.get(value.fieldId);
    return html`<div><dt><bdi>${field?.label ?? value.fieldId}</bdi></dt><dd><bdi>${shownAnswer(collection, value)}</bdi>${
      value.status === "accepted" ? nothing : html` <mark>${value.status}</mark>`
    } <small>${value.actor === "teammate" ? "by the team, " : ""}${moment(value.updatedAt, view)}</small></dd></div>`;
  })}</dl>`;
}

function shownAnswer(collection: Collection, value: CollectionValue): string {
  if (value.value === null) return "–";
  const field = collection.fields.find((one) => one.id === value.fieldId);
  return field?.choices.find((choice) => choice.id === value.value)?.label ?? value.value;
}

function editor(chatId: string, { fields, values }: Collection): Markup | string {
  if (fields.length === 0) return nothing;
  return html`<details><summary>Correct a detail</summary>${fields.map((field) => {
    const detail = values.find((value) => value.fieldId === field.id);
    return html`<form method="post" action="/console/chats/${chatId}/details">
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

function asking(chatId: string): Markup {
  const rows = Array.from({ length: askedFieldRows }, (_, index) => index + 1);
  return html`<details><summary>Ask for details</summary>
    <form method="post" action="/console/chats/${chatId}/form" data-clear>
      <label>Why you ask <input name="purpose" required maxlength="500" dir="auto" placeholder="So that the workshop can call you"></label>
      ${rows.map(
        (row) => html`<fieldset><legend>Field ${row}</legend>
        <label>Question <input name="label${row}" maxlength="200" dir="auto"${row === 1 ? " required" : ""}></label>
        <label>Kind <select name="type${row}"><option value="text">text</option><option value="email">email</option><option value="choice">choice</option></select></label>
        <label>Options, separated by commas <input name="choices${row}" maxlength="1000" dir="auto"></label>
        <label><input type="checkbox" name="required${row}"${row === 1 ? " checked" : ""}> Required</label>
      </fieldset>`,
      )}
      <label><input type="checkbox" name="canSkip"> May be skipped</label>
      <button type="submit">Ask</button>
    </form>
  </details>`;
}
