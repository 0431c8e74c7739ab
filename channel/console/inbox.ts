/** The list of chats, by who answers them. */
import type { ChatMode } from "#lib/chat-api/chat.ts";
import { html, type Markup, nothing } from "../http/pages.ts";
import type { TeamChatSummary } from "../team/team-inbox.ts";
import type { ConsoleView } from "./layout.ts";
import { customerLabel, modeNames, moment, waiting } from "./wording.ts";

/** Waiting chats come first. */
export const modesInOrder: readonly ChatMode[] = ["waiting", "teammate", "agent", "resolved"];

const noChats: Record<ChatMode, string> = {
  waiting: "Nobody is waiting.",
  teammate: "Nobody is talking to a teammate.",
  agent: "The agent has no chats.",
  resolved: "No chat has been resolved yet.",
};

export function inbox(view: ConsoleView, mode: ChatMode, chosenId: string | undefined): Markup {
  const { base, chats, counts } = view;
  return html`<section aria-label="Inbox">
    <nav aria-label="Chats by state" id="modes">${modesInOrder.map(
      (one) =>
        html`<a id="mode-${one}" href="${base}?mode=${one}"${one === mode ? html` aria-current="true"` : nothing}>${modeNames[one]} ${one === "waiting" && counts[one] > 0 ? html`<mark data-tone="warn">${counts[one]}</mark>` : html`<small>${counts[one]}</small>`}</a>`,
    )}</nav>
    <div id="chats">${chats.length === 0 ? html`<p class="note">${noChats[mode]}</p>` : html`<ol>${chats.map((chat) => row(view, mode, chat, chosenId))}</ol>`}</div>
    <p class="hint note"><small>Alt + ↑ ↓ opens the next chat</small></p>
  </section>`;
}

function row(
  view: ConsoleView,
  mode: ChatMode,
  summary: TeamChatSummary,
  chosenId: string | undefined,
): Markup {
  const { chat, lastMessage, unanswered, waitingSince } = summary;
  const name = html`<bdi>${customerLabel(chat.userId)}</bdi>`;
  const text = lastMessage?.text.trim() || (lastMessage === null ? "No message yet" : "(files)");
  return html`<li id="row-${chat.id}"><a id="chat-${chat.id}" href="${view.base}/chats/${chat.id}?mode=${mode}"${chat.id === chosenId ? html` aria-current="true"` : nothing}>
    <span>${unanswered > 0 ? html`<strong>${name}</strong>` : name}${waitingSince === null ? html`<small>${moment(lastMessage?.createdAt ?? chat.updatedAt, view)}</small>` : waiting(view, waitingSince)}</span>
    <small><span class="preview" dir="auto">${text.slice(0, 140)}</span>${unanswered > 0 ? html`<mark>${unanswered} new</mark>` : nothing}</small>
    <small>${[chat.teammate?.name, chat.handoff?.requiresEmail === true ? "replies by email" : undefined, summary.locale].filter(Boolean).join(" · ")}</small>
  </a></li>`;
}
