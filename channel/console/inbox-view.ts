/** The list of chats, by who answers them. */
import { type ChatMode, chatModes } from "#lib/chat-api/chat.ts";
import { html, type Markup, nothing } from "../http/markup.ts";
import type { TeamChatSummary } from "../team/team-inbox.ts";
import type { ConsoleView } from "./view.ts";
import { customerLabel, duration, modeNames, moment } from "./wording.ts";

/** From here on a wait is shown as a long one, in milliseconds. */
const longWait = 5 * 60_000;

/** Waiting chats come first. */
const modesInOrder: readonly ChatMode[] = ["waiting", "teammate", "agent", "resolved"];

export function inbox(
  view: ConsoleView,
  mode: ChatMode,
  chats: readonly TeamChatSummary[],
  chosenId: string | null,
): Markup {
  return html`<section aria-label="Inbox">
    <nav aria-label="Chats by state" id="modes" data-live="modes">${modesInOrder.map(
      (one) =>
        html`<a id="mode-${one}" href="/console?mode=${one}"${one === mode ? html` aria-current="true"` : nothing}>${modeNames[one]} ${count(one, view.counts[one])}</a>`,
    )}</nav>
    <div id="chats" data-live="chats">${chats.length === 0 ? noChats(mode) : html`<ol>${chats.map((chat) => row(view, mode, chat, chosenId))}</ol>`}</div>
  </section>`;
}

export function isChatMode(word: string | undefined): word is ChatMode {
  return chatModes.some((mode) => mode === word);
}

function noChats(mode: ChatMode): Markup {
  const sentences: Record<ChatMode, string> = {
    waiting: "Nobody is waiting.",
    teammate: "Nobody is talking to a teammate.",
    agent: "The agent has no chats.",
    resolved: "No chat has been resolved yet.",
  };
  return html`<p class="note">${sentences[mode]}</p>`;
}

function count(mode: ChatMode, chats: number): Markup {
  return mode === "waiting" && chats > 0
    ? html`<mark data-tone="warn">${chats}</mark>`
    : html`<small>${chats}</small>`;
}

function row(view: ConsoleView, mode: ChatMode, summary: TeamChatSummary, chosenId: string | null): Markup {
  const { chat, lastMessage, unanswered } = summary;
  const isChosen = chat.id === chosenId;
  const name = html`<bdi>${customerLabel(chat.userId)}</bdi>`;
  return html`<li id="row-${chat.id}"><a id="chat-${chat.id}" href="/console/chats/${chat.id}?mode=${mode}"${isChosen ? html` aria-current="true"` : nothing}>
    <span>${unanswered > 0 ? html`<strong>${name}</strong>` : name}${time(view, summary)}</span>
    <small><span class="preview" dir="auto">${lastMessage === null ? "No message yet" : previewOf(lastMessage)}</span>${unanswered > 0 ? html`<mark>${unanswered} new</mark>` : nothing}</small>
    <small>${[chat.teammate?.name, chat.handoff?.requiresEmail === true ? "replies by email" : undefined, summary.locale].filter(Boolean).join(" · ")}</small>
  </a></li>`;
}

/** How long the customer has waited for the team, or when the chat's last message came. */
function time(view: ConsoleView, { chat, lastMessage, waitingSince }: TeamChatSummary): Markup {
  if (waitingSince === null)
    return html`<small>${moment(lastMessage?.createdAt ?? chat.updatedAt, view)}</small>`;
  const waited = view.now.getTime() - Date.parse(waitingSince);
  return html`<mark data-tone="${waited < longWait ? "warn" : "bad"}"><span class="visually-hidden">waiting </span>${duration(waited)}</mark>`;
}

function previewOf(message: { role: string; text: string }): string {
  const text = message.text.trim() === "" ? "(files)" : message.text;
  return text.length > 140 ? `${text.slice(0, 140)}…` : text;
}
