/** The inbox: the list of chats, and one of them with what the team can do. */
import type { ChatMode } from "#lib/chat-api/chat.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { type File, type Message, type MessagePart, messageParts } from "#lib/chat-api/message.ts";
import { html, type Markup, nothing } from "../http/pages.ts";
import type { TeamChat, TeamChatSummary } from "../team/team-inbox.ts";
import { type ConsoleView, data, form } from "./layout.ts";
import { customerLabel, modeNames, moment, waiting } from "./wording.ts";

/** @param mode The chats to list; undefined for all */
export function inbox(view: ConsoleView, mode: ChatMode | undefined, chosen: Markup, chosenId = ""): Markup {
  const { base, chats, counts } = view;
  const filter = (one: ChatMode | undefined, label: string, count: Markup | string = nothing) =>
    html`<a href="${base}${one === undefined ? nothing : `?mode=${one}`}"${one === mode ? html` aria-current="true"` : nothing}>${label} ${count}</a>`;
  const modes = Object.entries(modeNames) as [ChatMode, string][];
  return html`<div class="inbox"><section aria-label="Inbox">
    <nav class="row" aria-label="Chats by state">${filter(undefined, "All")}${modes.map(([one, name]) => filter(one, name, html`<small>${counts[one]}</small>`))}</nav>
    <ol id="chats">${chats.map((summary) => row(view, summary, mode, chosenId))}</ol>
  </section>${chosen}</div>`;
}

function row(view: ConsoleView, summary: TeamChatSummary, mode: ChatMode | undefined, chosenId: string) {
  const { chat, lastMessage, unanswered, waitingSince, locale } = summary;
  const { id, teammate } = chat;
  const text = lastMessage?.text.trim() || (lastMessage === null ? "No message yet" : "(files)");
  const at = lastMessage?.createdAt ?? chat.updatedAt;
  return html`<li id="row-${id}"><a id="chat-${id}" href="${view.base}/chats/${id}${mode === undefined ? nothing : `?mode=${mode}`}"${id === chosenId ? html` aria-current="true"` : nothing}>
    <span><strong><bdi>${customerLabel(chat.userId)}</bdi></strong>${waitingSince === null ? html`<small>${moment(at, view)}</small>` : waiting(view, waitingSince)}</span>
    <span><small class="preview" dir="auto">${text.slice(0, 140)}</small>${unanswered > 0 ? html`<mark>${unanswered} new</mark>` : nothing}</span>
    <small>${[teammate?.name ?? modeNames[chat.mode], chat.handoff?.requiresEmail === true && "replies by email", locale].filter(Boolean).join(" · ")}</small>
  </a></li>`;
}

export function conversation(view: ConsoleView, item: TeamChat, submissionKey: string): Markup {
  const { chat, email, collection } = item;
  const path = `${view.base}/chats/${chat.id}`;
  return html`<section aria-labelledby="customer">
    <header>
      <div class="row"><h1 id="customer"><bdi>${customerLabel(chat.userId)}</bdi></h1>
      <span class="row" id="state" role="status"><mark>${modeNames[chat.mode]}${chat.teammate === null ? nothing : html`: <bdi>${chat.teammate.name}</bdi>`}</mark>${item.isAnswering ? html`<mark>is answering</mark>` : nothing}${item.waitingSince === null ? nothing : waiting(view, item.waitingSince)}</span></div>
      <small>${item.locale} · since ${moment(chat.createdAt, view)} · <code>${chat.id}</code>${email === null ? nothing : html` · <bdi>${email}</bdi>`}</small>
      ${folded("Handoff", chat.handoff)}
      ${folded("Collected details", collection.fields.length === 0 ? null : answers(collection))}
    </header>
    <div id="scroller" tabindex="0" role="region" aria-label="Messages">
      <div id="messages">
        ${item.hasEarlier || !chat.historyComplete ? html`<p><small>Earlier messages are not shown here.</small></p>` : nothing}
        <ol aria-live="polite" aria-relevant="additions">${item.messages.map((message) => messageItem(view, message))}</ol>
      </div>
    </div>
    <footer>${actions(view, item, path)}${asking(item, path)}${composer(view, item, path, submissionKey)}</footer>
  </section>`;
}

/** One message with what it carries: all that the customer can read, by the names of the Chat API. */
function messageItem(view: ConsoleView, message: Message): Markup {
  const { id, role, text, createdAt } = message;
  const teammate = message.author?.name ?? "Teammate";
  const author = { visitor: "Customer", agent: "Agent", teammate, system: "Notice" };
  return html`<li data-role="${role}" id="${id}">
    <small><strong><bdi>${author[role]}</bdi></strong> ${moment(createdAt, view)}</small>
    ${text === "" ? nothing : html`<blockquote dir="auto">${text}</blockquote>`}
    ${message.files.map((file) => fileLink(view, file))}
    ${partNames.filter((name) => titlesOf(message[name]) !== "").map((name) => part(message, name))}
  </li>`;
}

const partNames = (Object.keys(messageParts) as MessagePart[]).filter((name) => name !== "files");

function part({ id, ...message }: Message, name: MessagePart): Markup {
  const value = message[name];
  return html`<details id="${id}-${name}"><summary>${name} <small><bdi>${titlesOf(value)}</bdi></small></summary>${data(value)}</details>`;
}

/** The titles in a folded part; empty if the message has no such part. */
function titlesOf(part: Message[MessagePart]): string {
  if (part === null) return "";
  if ("confirmationId" in part) return part.requiresEmail ? "needs an email address" : "to chat";
  if ("request" in part) return part.request?.purpose ?? "closed";
  return part.map(titleOf).join(", ");
}

function titleOf(item: string | object): string {
  if (typeof item === "string") return item;
  if ("title" in item) return String(item.title);
  return "reference" in item ? String(item.reference) : "";
}

function fileLink({ base }: ConsoleView, { id, chatId, filename, mediaType, byteSize }: File): Markup {
  const href = `${base}/chats/${chatId}/files/${id}`;
  const name = html`<bdi>${filename}</bdi> <small>${mediaType}, ${Math.ceil(byteSize / 1024)} KiB</small>`;
  const picture = html`<img src="${href}" alt="" loading="lazy" width="240" height="180">`;
  return html`<a href="${href}" download>${mediaType.startsWith("image/") ? picture : nothing}${name}</a>`;
}

const folded = (title: string, value: object | null) =>
  value === null
    ? nothing
    : html`<details id="${title.toLowerCase().replace(" ", "-")}"><summary>${title}</summary>${data(value)}</details>`;

/** The answers by the questions' words, and what the open form still asks for. */
function answers({ fields, values, missing, request, error }: TeamChat["collection"]): object {
  const question = (id: string) => fields.find((field) => field.id === id);
  const given = values.map(({ fieldId, value, status, actor }) => {
    const choice = question(fieldId)?.choices.find(({ id }) => id === value);
    const by = actor === "teammate" ? ", by the team" : "";
    return [question(fieldId)?.label, `${choice?.label ?? value ?? "–"} (${status}${by})`];
  });
  const labels = missing.map((id) => question(id)?.label).join(", ");
  return { asked: request?.purpose ?? null, missing: labels, error, ...Object.fromEntries(given) };
}

const release = ["release", "Return to the agent"] as const;
const resolve = ["resolve", "Resolve"] as const;

const groups: Record<ChatMode, readonly (readonly [action: string, label: string])[]> = {
  waiting: [["claim", "Claim"], release, ["fail", "Could not be reached"], resolve],
  agent: [["claim", "Take over from the agent"]],
  teammate: [release, resolve],
  resolved: [],
};

function actions(view: ConsoleView, { chat }: TeamChat, path: string): Markup {
  const { mode, teammate } = chat;
  if (mode === "resolved") return html`<p>This chat is closed. The customer can start a new one.</p>`;
  const isTheirs = mode === "teammate" && teammate?.name !== view.teammate;
  const takeOver = isTheirs
    ? form(
        `${path}/claim`,
        `Take over from ${teammate?.name}`,
        html`<input type="hidden" name="takesOver" value="on">`,
      )
    : nothing;
  const shown = groups[mode].filter(([action]) => !isTheirs || action !== "release");
  return html`<div class="row" id="actions" role="group" aria-label="This chat">${takeOver}${shown.map(([action, label]) => form(`${path}/${action}`, label, nothing, action === "claim"))}</div>`;
}

function asking({ chat }: TeamChat, path: string): Markup | string {
  if (chat.mode === "resolved") return nothing;
  const fields = html`<label>Question <input name="label" maxlength="200" dir="auto" required></label>
    <label>Why you ask <input name="purpose" maxlength="500" dir="auto" required></label>`;
  return html`<details id="ask"><summary>Ask for a detail</summary>${form(`${path}/form`, "Ask", fields)}</details>`;
}

function composer(
  view: ConsoleView,
  { chat }: TeamChat,
  path: string,
  submissionKey: string,
): Markup | string {
  if (chat.mode !== "teammate" || chat.teammate?.name !== view.teammate) return nothing;
  const label = `Reply as ${view.teammate}. Ctrl + Enter sends`;
  return form(
    `${path}/messages`,
    "Send",
    html`<input type="hidden" name="key" value="${submissionKey}"><textarea id="reply" name="text" rows="2" maxlength="${limits.messageTextLength}" dir="auto" aria-label="${label}" placeholder="${label}" required></textarea>`,
    true,
  );
}
