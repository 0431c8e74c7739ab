/** The list of chats, by who answers them. */
import { type ChatMode, chatModes } from "#lib/chat-api/chat.ts";
import type { TeamChatSummary } from "../team/team-chat.ts";
import { html, icon, type Markup, nothing, visuallyHidden } from "./markup.ts";
import type { ConsoleView } from "./view.ts";
import { customerLabel, duration, modeNames, moment } from "./wording.ts";

/** Waiting chats come first. */
const modesInOrder: readonly ChatMode[] = ["waiting", "teammate", "agent", "resolved"];

export function inbox(
  view: ConsoleView,
  mode: ChatMode,
  chats: readonly TeamChatSummary[],
  chosenId: string | null,
): Markup {
  return html`<section class="inbox" aria-label="Inbox">
    <nav class="modes" aria-label="Chats by state" id="modes" data-live="modes">${modesInOrder.map(
      (one) =>
        html`<a id="mode-${one}" href="/console?mode=${one}"${one === mode ? html` aria-current="true"` : nothing}>${modeNames[one]} <span class="count">${view.counts[one]}</span></a>`,
    )}</nav>
    <div id="chats" data-live="chats">${chats.length === 0 ? noChats(mode) : html`<ol class="chats">${chats.map((chat) => row(view, mode, chat, chosenId))}</ol>`}</div>
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
  return html`<p class="empty">${sentences[mode]}</p>`;
}

function row(view: ConsoleView, mode: ChatMode, summary: TeamChatSummary, chosenId: string | null): Markup {
  const { chat, lastMessage } = summary;
  const isChosen = chat.id === chosenId;
  return html`<li id="row-${chat.id}"><a class="chat-row" id="chat-${chat.id}" href="/console/chats/${chat.id}?mode=${mode}"${isChosen ? html` aria-current="true"` : nothing}>
    <span class="chat-row-head"><bdi class="customer">${customerLabel(chat.userId)}</bdi>${waitingSince(view, summary)}</span>
    <span class="preview" dir="auto">${lastMessage === null ? "No message yet" : previewOf(lastMessage)}</span>
    <span class="chat-row-foot">${chat.teammate === null ? nothing : html`<bdi class="chip">${chat.teammate.name}</bdi>`}${
      summary.unanswered > 0 ? html`<span class="chip chip-new">${summary.unanswered} new</span>` : nothing
    }${chat.handoff?.requiresEmail === true ? html`<span class="chip">${icon("mail")}${visuallyHidden("replies by ")}email</span>` : nothing}<span class="chip chip-locale">${summary.locale}</span></span>
  </a></li>`;
}

function waitingSince(view: ConsoleView, { chat, lastMessage }: TeamChatSummary): Markup {
  if (chat.mode === "waiting" && chat.handoff !== null) {
    const waited = view.now.getTime() - Date.parse(chat.handoff.requestedAt);
    const isLong = waited >= 5 * 60_000;
    return html`<span class="waited${isLong ? " waited-long" : ""}">${visuallyHidden("waiting ")}${duration(waited)}</span>`;
  }
  return html`<span class="faint">${moment(lastMessage?.createdAt ?? chat.updatedAt, view)}</span>`;
}

function previewOf(message: { role: string; text: string }): string {
  const text = message.text.trim() === "" ? "(files)" : message.text;
  return text.length > 140 ? `${text.slice(0, 140)}…` : text;
}
