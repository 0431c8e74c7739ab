/** A chat and the actions that the team can take. */
import type { Collection, CollectionValue } from "#lib/chat-api/collection.ts";
import { valueStatuses } from "#lib/chat-api/collection.ts";
import { limits } from "#lib/chat-api/limits.ts";
import type { TeamChat } from "../team/team-chat.ts";
import { html, icon, type Markup, nothing } from "./markup.ts";
import { messageItem } from "./message-view.ts";
import type { ConsoleView } from "./view.ts";
import { comingMoment, customerLabel, duration, modeNames, moment } from "./wording.ts";

/** How many fields a teammate can ask for at once. */
export const askedFieldRows = 3;

export function conversation(view: ConsoleView, item: TeamChat, submissionKey: string): Markup {
  const { chat } = item;
  return html`<section class="conversation" aria-labelledby="customer">
    <header class="conversation-head">
      <a class="back" href="/console">${icon("back")} Inbox</a>
      <h1 id="customer"><bdi>${customerLabel(chat.userId)}</bdi></h1>
      <div id="state" data-live="state" class="state"><span class="chip chip-${chat.mode}">${modeNames[chat.mode]}</span>${
        chat.teammate === null ? nothing : html`<bdi class="chip">${chat.teammate.name}</bdi>`
      }</div>
      <p class="faint ids"><span>${item.locale}</span> · <span>since ${moment(chat.createdAt, view)}</span> · <code>${chat.id}</code></p>
    </header>
    <div class="scroller" id="scroller" tabindex="0" role="region" aria-label="Messages">
      <div id="messages" data-live="messages">
        ${item.hasEarlier || !chat.historyComplete ? html`<p class="empty">Earlier messages are not shown here.</p>` : nothing}
        <ol class="messages" aria-live="polite" aria-relevant="additions">${item.messages.map((message) => messageItem(view, message))}</ol>
      </div>
    </div>
    <div id="actions" data-live="actions">${actions(view, item)}</div>
    ${composer(view, item, submissionKey)}
  </section>`;
}

export function nothingChosen(): Markup {
  return html`<section class="conversation conversation-empty" aria-label="Conversation"><p class="empty">Choose a chat to read it.</p></section>`;
}

function actions(view: ConsoleView, { chat }: TeamChat): Markup {
  const mine = chat.mode === "teammate" && chat.teammate?.name === view.teammate;
  const buttons: Markup[] = [];
  if (chat.mode === "waiting") {
    buttons.push(action(chat.id, "claim", "Claim", "primary"));
    buttons.push(action(chat.id, "release", "Return to the agent"));
    buttons.push(action(chat.id, "fail", "Could not be reached", "danger"));
  }
  if (chat.mode === "agent") buttons.push(action(chat.id, "claim", "Take over from the agent", "primary"));
  if (chat.mode === "teammate" && !mine)
    buttons.push(action(chat.id, "take-over", `Take over from ${chat.teammate?.name ?? "the team"}`));
  if (mine) buttons.push(action(chat.id, "release", "Return to the agent"));
  if (chat.mode === "waiting" || chat.mode === "teammate")
    buttons.push(action(chat.id, "resolve", "Resolve", "good"));
  if (buttons.length === 0)
    return html`<p class="empty">This chat is closed. The customer can start a new one.</p>`;
  return html`<div class="actions" role="group" aria-label="This chat">${buttons}</div>`;
}

function action(chatId: string, name: string, label: string, tone = "plain"): Markup {
  return html`<form method="post" action="/console/chats/${chatId}/${name}"><button id="action-${name}" class="${tone}" type="submit">${label}</button></form>`;
}

/**
 * The composer is outside the live parts of the page, so that updates do not overwrite what is being typed.
 */
function composer(view: ConsoleView, { chat }: TeamChat, submissionKey: string): Markup {
  const isMine = chat.mode === "teammate" && chat.teammate?.name === view.teammate;
  return html`<form class="composer" id="composer" method="post" action="/console/chats/${chat.id}/messages" data-clear data-live-hidden${isMine ? nothing : html` hidden`}>
    <input type="hidden" name="key" id="reply-key" data-fresh value="${submissionKey}">
    <label class="visually-hidden" for="reply">Reply as ${view.teammate}</label>
    <textarea id="reply" name="text" rows="3" maxlength="${limits.messageTextLength}" dir="auto" placeholder="Reply as ${view.teammate}" required></textarea>
    <button class="primary" type="submit">Send</button>
    <p class="faint hint">Ctrl + Enter sends</p>
  </form>`;
}

export function details(view: ConsoleView, item: TeamChat): Markup {
  const { chat } = item;
  return html`<section class="details" aria-label="Details">
    <section id="handoff" data-live="handoff"><h2>Handoff</h2>${handoff(view, item)}</section>
    <section id="collected" data-live="collected"><h2>Collected details</h2>${collected(view, item.collection)}</section>
    ${chat.mode === "resolved" ? nothing : html`${editor(chat.id, item.collection)}${asking(chat.id)}`}
  </section>`;
}

function handoff(view: ConsoleView, { chat, email }: TeamChat): Markup {
  if (chat.handoff === null) return html`<p class="empty">The customer has not asked for the team.</p>`;
  const { status, requestedAt, requiresEmail, nextAvailableAt, timezone } = chat.handoff;
  const waited = view.now.getTime() - Date.parse(requestedAt);
  return html`<dl class="facts">
    <div><dt>Status</dt><dd>${status}</dd></div>
    <div><dt>Asked</dt><dd>${moment(requestedAt, view)}${status === "waiting" ? html` <span class="faint">(${duration(waited)} ago)</span>` : nothing}</dd></div>
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
      : html`<div class="open-form"><p>${icon("form")} <span dir="auto">${collection.request.purpose}</span></p><p class="faint">${
          collection.missing.length === 0
            ? "Everything required is answered."
            : html`Still missing: <bdi>${collection.missing.map((id) => labels.get(id)?.label ?? id).join(", ")}</bdi>`
        }</p>${collection.error === null ? nothing : html`<p class="bad" dir="auto">Last attempt: ${collection.error}</p>`}</div>`;
  if (collection.values.length === 0 && collection.request === null)
    return html`<p class="empty">Nothing yet.</p>`;
  return html`${open}<dl class="facts">${collection.values.map((value) => {
    const field = labels.get(value.fieldId);
    return html`<div><dt><bdi>${field?.label ?? value.fieldId}</bdi></dt><dd><bdi class="answer">${shownAnswer(collection, value)}</bdi>${
      value.status === "accepted"
        ? nothing
        : html` <span class="chip chip-${value.status}">${value.status}</span>`
    } <span class="faint">${value.actor === "teammate" ? "by the team, " : ""}${moment(value.updatedAt, view)}</span></dd></div>`;
  })}</dl>`;
}

function shownAnswer(collection: Collection, value: CollectionValue): string {
  if (value.value === null) return "–";
  const field = collection.fields.find((one) => one.id === value.fieldId);
  return field?.choices.find((choice) => choice.id === value.value)?.label ?? value.value;
}

function editor(chatId: string, collection: Collection): Markup | string {
  if (collection.fields.length === 0) return nothing;
  return html`<details class="tool"><summary>Correct a detail</summary>
    <form method="post" action="/console/chats/${chatId}/details" data-clear>
      <label>Detail <select name="fieldId">${collection.fields.map((field) => html`<option value="${field.id}">${field.label}</option>`)}</select></label>
      <label>Answer <input name="value" maxlength="${limits.answerLength}" dir="auto"></label>
      <label>Status <select name="status">${valueStatuses.map((status) => html`<option>${status}</option>`)}</select></label>
      <p class="faint">${collection.fields
        .filter((field) => field.type === "choice")
        .map(
          (field) =>
            html`<bdi>${field.label}</bdi>: ${field.choices.map((choice) => choice.id).join(", ")}<br>`,
        )}</p>
      <button type="submit">Save</button>
    </form>
  </details>`;
}

function asking(chatId: string): Markup {
  const rows = Array.from({ length: askedFieldRows }, (_, index) => index + 1);
  return html`<details class="tool"><summary>Ask for details</summary>
    <form method="post" action="/console/chats/${chatId}/form" data-clear>
      <label>Why you ask <input name="purpose" required maxlength="500" dir="auto" placeholder="So that the workshop can call you"></label>
      ${rows.map(
        (row) => html`<fieldset><legend>Field ${row}</legend>
        <label>Question <input name="label${row}" maxlength="200" dir="auto"${row === 1 ? " required" : ""}></label>
        <label>Kind <select name="type${row}"><option value="text">text</option><option value="email">email</option><option value="choice">choice</option></select></label>
        <label>Options, separated by commas <input name="choices${row}" maxlength="1000" dir="auto"></label>
        <label class="check"><input type="checkbox" name="required${row}"${row === 1 ? " checked" : ""}> Required</label>
      </fieldset>`,
      )}
      <label class="check"><input type="checkbox" name="canSkip"> May be skipped</label>
      <button type="submit">Ask</button>
    </form>
  </details>`;
}
