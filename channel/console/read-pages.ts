/** The console's pages of the team: inbox, chat, requests. */
import type { ChatMode } from "#lib/chat-api/chat.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { chatIdPattern, fileIdPattern } from "#lib/chat-api/patterns.ts";
import { downloadFile } from "../files/download-file.ts";
import { attachmentDisposition } from "../files/filename.ts";
import type { ChannelApp, ChannelContext } from "../http/app.ts";
import { html, type Markup } from "../http/markup.ts";
import type { RequestHistory } from "../http/request-history.ts";
import { newId } from "../ids.ts";
import type { TeamChat } from "../team/team-inbox.ts";
import { listTeamChats, readTeamChat } from "../team/team-inbox.ts";
import { conversation, details, nothingChosen } from "./conversation-view.ts";
import { inbox, isChatMode } from "./inbox-view.ts";
import type { PageDeps, Pages } from "./pages.ts";
import { isRequestFilter, requestPage, requestsPage } from "./requests-view.ts";
import type { ConsoleView } from "./view.ts";
import { customerLabel } from "./wording.ts";

const chatsShown = 200;
const messagesShown = 100;

export type ReadDeps = PageDeps & { app: ChannelApp; history: RequestHistory };

export function mountConsolePages(deps: ReadDeps, pages: Pages): void {
  const { app, channelKey, database } = deps;

  app.get("/console", async (context) => {
    const view = await pages.view(context);
    const mode = modeOf(context, "waiting");
    const body = html`<div class="desk">${await inboxOf(deps, view, mode, null)}${nothingChosen()}</div>`;
    return pages.show(context, view, { title: "Inbox", section: "inbox", focus: "list", body });
  });

  app.get("/console/chats/:chatId", async (context) => {
    const ref = { channelKey, chatId: requireParameter(context, "chatId", chatIdPattern) };
    const view = await pages.view(context);
    const chat = await readTeamChat(database.sql, ref, messagesShown, availabilityOf(deps, view));
    const mode = modeOf(context, chat.chat.mode);
    return pages.show(context, view, {
      title: customerLabel(chat.chat.userId),
      section: "inbox",
      body: await inboxWithChat(deps, view, mode, chat),
    });
  });

  app.get("/console/chats/:chatId/files/:fileId", async (context) => {
    const ref = { channelKey, chatId: requireParameter(context, "chatId", chatIdPattern) };
    const { file, bytes } = await downloadFile(deps, ref, requireParameter(context, "fileId", fileIdPattern));
    const isPicture = file.mediaType.startsWith("image/");
    return new Response(bytes, {
      headers: {
        "content-type": file.mediaType,
        "content-disposition": isPicture ? "inline" : attachmentDisposition(file.filename),
        "content-security-policy": "default-src 'none'; sandbox",
      },
    });
  });

  app.get("/console/requests", async (context) => {
    const show = context.req.query("show");
    const body = requestsPage(deps.history.latest(), isRequestFilter(show) ? show : "folded");
    return pages.show(context, await pages.view(context), { title: "Requests", section: "requests", body });
  });

  app.get("/console/requests/:requestId", async (context) => {
    const requestId = context.req.param("requestId");
    const seen = deps.history.latest().find((request) => request.requestId === requestId);
    if (seen === undefined) throw new ChatApiError("not_found");
    const body = requestPage(seen);
    return pages.show(context, await pages.view(context), { title: "Request", section: "requests", body });
  });
}

async function inboxWithChat(
  deps: ReadDeps,
  view: ConsoleView,
  mode: ChatMode,
  chat: TeamChat,
): Promise<Markup> {
  // The new ID is the idempotency key of the next reply.
  return html`<div class="desk">${await inboxOf(deps, view, mode, chat.chat.id)}${conversation(view, chat, newId("msg"))}${details(view, chat)}</div>`;
}

async function inboxOf(
  deps: ReadDeps,
  view: ConsoleView,
  mode: ChatMode,
  chosenId: string | null,
): Promise<Markup> {
  const request = { channelKey: deps.channelKey, mode, limit: chatsShown };
  const chats = await listTeamChats(deps.database.sql, request, availabilityOf(deps, view));
  return inbox(view, mode, chats, chosenId);
}

function availabilityOf(deps: ReadDeps, view: ConsoleView) {
  return { hours: deps.settings.current().hours, now: view.now };
}

function modeOf(context: ChannelContext, otherwise: ChatMode): ChatMode {
  const mode = context.req.query("mode");
  return isChatMode(mode) ? mode : otherwise;
}

/** @throws ChatApiError `invalid_id` */
export function requireParameter(context: ChannelContext, name: string, pattern: RegExp): string {
  const value = context.req.param(name) ?? "";
  if (!pattern.test(value)) throw new ChatApiError("invalid_id");
  return value;
}
