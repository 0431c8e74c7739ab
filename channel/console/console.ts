/** The console: pages for people, which are a client of a channel's `/team` and `/lab`. */
import { hash, randomUUID } from "node:crypto";
import { deleteCookie, getCookie, getSignedCookie, setCookie, setSignedCookie } from "hono/cookie";
import { type ChatMode, chatModes } from "#lib/chat-api/chat.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { hasVisibleText } from "#lib/chat-api/text.ts";
import type { ChannelContext } from "../http/app.ts";
import { html } from "../http/pages.ts";
import type { Availability, DeliveredNotice, ListedChannel, RecordedRequest } from "../lab/lab-client.ts";
import type { TeamChat } from "../team/team-inbox.ts";
import {
  type AccessDeps,
  cookieOptions,
  type Fields,
  fieldsOf,
  mountAccess,
  referringPage,
  secretOf,
} from "./access.ts";
import { channelClient, type Fetch } from "./channel-client.ts";
import { conversation, details } from "./conversation.ts";
import { inbox, modesInOrder } from "./inbox.ts";
import { channelsPage, labPage, type RequestSummary, requestPage, requestsPage } from "./lab-pages.ts";
import { type ConsoleView, type LabState, layout, type Page } from "./layout.ts";
import { customerLabel } from "./wording.ts";

export interface ConsoleDeps extends AccessDeps {
  fetch: Fetch;
  channelUrl: string;
  /** The names to choose from. Empty: any name. */
  members: readonly string[];
}

const noticeCookie = "console-notice";
/** The longest name that the team's API accepts. */
const nameLength = 80;
const rememberedFor = 365 * 24 * 60 * 60;

/** The action of a form, whose page is shown again. */
interface Action {
  /** The path below that of the chat in the team's API, or below `/lab`; by default the action's name. */
  path?: string;
  /** POST by default. */
  method?: "DELETE";
  body?: (fields: Fields, name: string) => object;
  /** The sentence that the page then says. */
  notice?: string;
}

const chatActions: Record<string, Action> = {
  claim: { body: (_, name) => ({ name }), notice: "You have this chat." },
  "take-over": {
    path: "claim",
    body: (_, name) => ({ name, takesOver: true }),
    notice: "You have this chat.",
  },
  release: { notice: "The agent answers again." },
  resolve: { notice: "The chat is resolved." },
  fail: { notice: "The customer was told that nobody could be reached." },
  messages: { body: ({ text = "" }, name) => ({ text, name }) },
  form: {
    body: (fields, name) => ({ form: askedForm(fields), name }),
    notice: "The customer sees the form.",
  },
  details: {
    body: ({ fieldId, value = "", status }) => ({
      values: [{ fieldId, value: value.trim() === "" ? null : value.trim(), status }],
    }),
    notice: "The detail is saved.",
  },
};

const labActions: Record<string, Action> = {
  clock: {
    body: ({ advanceSeconds }) => ({ advanceSeconds: Number(advanceSeconds) }),
    notice: "The clock has moved.",
  },
  "faults/clear": { path: "faults", method: "DELETE", notice: "The faults are cleared." },
};

export function mountConsole(deps: ConsoleDeps): void {
  const { app, members } = deps;
  mountAccess(deps);
  const clientOf = (teamKey: string) => channelClient(deps.fetch, deps.channelUrl, teamKey);
  const first = clientOf(deps.teamKey);
  const secret = secretOf(noticeCookie, deps.teamKey);
  const listChannels = async () => (await first.get<{ items: ListedChannel[] }>("/lab/channels")).items;

  /** The channel that the path names; by default the first one. */
  async function channelOf(
    context: ChannelContext,
  ): Promise<Pick<ConsoleView, "client" | "base" | "channelKey">> {
    const channelKey = context.req.param("channelKey");
    if (channelKey === undefined) return { client: first, base: "/console", channelKey };
    const listed = (await listChannels()).find((channel) => channel.channelKey === channelKey);
    if (listed === undefined)
      throw new ChatApiError("not_found", {
        message: `There is no channel ${channelKey}. A test drops its own at its end.`,
      });
    return { client: clientOf(listed.teamKey), base: `/console/channels/${channelKey}`, channelKey };
  }

  /** @param mode The chats to list. Without it, the page shows only the counts. */
  async function viewOf(context: ChannelContext, mode?: ChatMode): Promise<ConsoleView> {
    const channel = await channelOf(context);
    const { client } = channel;
    const [{ items, counts }, { item: team }, lab] = await Promise.all([
      client.get<{ items: ConsoleView["chats"]; counts: ConsoleView["counts"] }>(
        `/team/chats?${mode === undefined ? "limit=1" : `mode=${mode}&limit=200`}`,
      ),
      client.get<{ item: Availability }>("/team/hours"),
      client.get<{ item: LabState }>("/lab").catch(withoutLab),
    ]);
    return {
      ...channel,
      now: new Date(team.now),
      team,
      timeZone: team.timezone ?? "UTC",
      teammate: nameOf(context),
      members,
      counts,
      chats: items,
      lab: lab?.item,
      notice: await takeNotice(context),
    };
  }

  const nameOf = (context: ChannelContext) => getCookie(context, "teammate") ?? members[0] ?? "Teammate";

  /** Takes the last action's notice, which the next page shows once. The script's polls leave it. */
  async function takeNotice(context: ChannelContext): Promise<ConsoleView["notice"]> {
    if (context.req.header("x-console") === "live") return null;
    const cookie = await getSignedCookie(context, secret, noticeCookie);
    if (!cookie) return null;
    deleteCookie(context, noticeCookie, cookieOptions(context));
    const [, tone, text = ""] = /^(good|bad) (.*)$/s.exec(cookie) ?? [];
    return { tone: tone === "good" ? "good" : "bad", text };
  }

  /** Runs an action, and returns to the page at `back` with what it says or why it failed. */
  async function runAction(context: ChannelContext, back: string, run: () => Promise<string | undefined>) {
    const notice = await run().then(
      (text) => text && `good ${text}`,
      (error: unknown) => {
        if (error instanceof ChatApiError) return `bad ${error.message}`;
        throw error;
      },
    );
    const options = { ...cookieOptions(context), maxAge: 30 };
    if (notice) await setSignedCookie(context, noticeCookie, notice, secret, options);
    return context.redirect(back, 303);
  }

  const show = (context: ChannelContext, view: ConsoleView, page: Page) => context.html(layout(view, page));

  /** The inbox with a chat: on a small screen one of them. */
  function showInbox(
    context: ChannelContext,
    view: ConsoleView,
    mode: ChatMode,
    chat?: TeamChat,
    focus?: "list",
  ) {
    const chosen =
      chat === undefined
        ? html`<section id="scroller" aria-label="Conversation"><p>There is no chat here.</p></section>`
        : html`${conversation(view, chat, randomUUID())}${details(view, chat)}`;
    return show(context, view, {
      title: chat === undefined || focus === "list" ? "Inbox" : customerLabel(chat.chat.userId),
      section: "inbox",
      ...(focus && { focus }),
      ...(focus && chat && { address: `${view.base}?mode=${mode}&chat=${chat.chat.id}` }),
      body: html`<div class="inbox">${inbox(view, mode, chat?.chat.id)}${chosen}</div>`,
    });
  }

  app.get("/console/channels", async (context) => {
    const body = channelsPage(await listChannels());
    return show(context, await viewOf(context), { title: "Channels", section: "channels", body });
  });
  for (const base of ["/console", "/console/channels/:channelKey"]) mountPages(base);

  function mountPages(root: string): void {
    const readChat = async ({ client }: Pick<ConsoleView, "client">, chatId: string) =>
      (await client.get<{ item: TeamChat }>(`/team/chats/${encodeURIComponent(chatId)}`)).item;

    app.get(root, async (context) => {
      const named = context.req.query("channel");
      if (named !== undefined) return context.redirect(`/console/channels/${encodeURIComponent(named)}`, 303);
      const asked = modeOf(context, "waiting");
      const first = await viewOf(context, asked);
      // The inbox opens at the first mode that has chats.
      const isEmpty = context.req.query("mode") === undefined && first.chats.length === 0;
      const mode = (isEmpty && modesInOrder.find((one) => first.counts[one] > 0)) || asked;
      const view = mode === asked ? first : await viewOf(context, mode);
      const chosen = context.req.query("chat") ?? view.chats[0]?.chat.id;
      const chat = chosen === undefined ? undefined : await readChat(view, chosen);
      return showInbox(context, view, mode, chat, "list");
    });

    app.get(`${root}/chats/:chatId`, async (context) => {
      const chat = await readChat(await channelOf(context), context.req.param("chatId") ?? "");
      const mode = modeOf(context, chat.chat.mode);
      return showInbox(context, await viewOf(context, mode), mode, chat);
    });

    app.get(`${root}/chats/:chatId/files/:fileId`, async (context) => {
      const { chatId = "", fileId = "" } = context.req.param();
      const { client } = await channelOf(context);
      const path = `/team/chats/${encodeURIComponent(chatId)}/files/${encodeURIComponent(fileId)}`;
      const { body, headers } = await client.request(path);
      const type = headers.get("content-type") ?? "";
      const disposition = headers.get("content-disposition") ?? "";
      return new Response(body, {
        headers: {
          "content-type": type,
          "content-disposition": type.startsWith("image/")
            ? disposition.replace("attachment", "inline")
            : disposition,
          // Keeps a picture's own scripts from running.
          "content-security-policy": "default-src 'none'; sandbox",
        },
      });
    });

    const mountActions = (actions: Record<string, Action>, page: string, api: string) => {
      for (const [name, { path = name, method = "POST", body, notice }] of Object.entries(actions))
        app.post(`${root}/${page}/${name}`, async (context) => {
          const { client, base } = await channelOf(context);
          const fields = await fieldsOf(context);
          const shown = page.replace(":chatId", encodeURIComponent(context.req.param("chatId") ?? ""));
          return runAction(context, `${base}/${shown}`, async () => {
            await client.request(`${api}/${shown}/${path}`, {
              method,
              headers: fields["key"] === undefined ? {} : { "idempotency-key": fields["key"] },
              ...(body && { body: JSON.stringify(body(fields, nameOf(context))) }),
            });
            return notice;
          });
        });
    };
    mountActions(chatActions, "chats/:chatId", "/team");
    mountActions(labActions, "lab", "");

    app.post(`${root}/teammate`, async (context) => {
      const { teammate = "" } = await fieldsOf(context);
      return runAction(context, referringPage(context), async () => {
        const name = teammate.trim();
        if (!hasVisibleText(name) || name.length > nameLength)
          throw new ChatApiError("invalid_request", {
            message: `Give a name of 1 to ${nameLength} characters.`,
          });
        setCookie(context, "teammate", name, { ...cookieOptions(context), maxAge: rememberedFor });
        return undefined;
      });
    });

    app.get(`${root}/requests`, async (context) => {
      const view = await viewOf(context);
      const { items } = await view.client.get<{ items: RequestSummary[] }>(
        "/lab/requests?limit=500&exchanges=false",
      );
      const body = requestsPage(view, items, context.req.query("show"));
      return show(context, view, { title: "Requests", section: "requests", body });
    });

    app.get(`${root}/requests/:requestId`, async (context) => {
      const view = await viewOf(context);
      const requestId = encodeURIComponent(context.req.param("requestId") ?? "");
      const { items } = await view.client.get<{ items: RecordedRequest[] }>(
        `/lab/requests?requestId=${requestId}`,
      );
      if (items[0] === undefined) throw new ChatApiError("not_found");
      return show(context, view, {
        title: "Request",
        section: "requests",
        body: requestPage(view, items[0]),
      });
    });

    app.get(`${root}/lab`, async (context) => {
      const view = await viewOf(context);
      const { items } = await view.client.get<{ items: DeliveredNotice[] }>("/lab/notices");
      return show(context, view, { title: "Lab", section: "lab", body: labPage(view, items) });
    });
  }
}

function modeOf(context: ChannelContext, otherwise: ChatMode): ChatMode {
  const asked = context.req.query("mode");
  return chatModes.find((mode) => mode === asked) ?? otherwise;
}

function withoutLab(error: unknown): undefined {
  if (!(error instanceof ChatApiError && error.code === "not_found")) throw error;
}

/** The form with the teammate's question. */
function askedForm({ purpose, label = "", type, choices = "", required, canSkip }: Fields): object {
  const labels = type === "choice" ? choices.split(/[,\n]/).map((choice) => choice.trim()) : [];
  const options = new Map(labels.filter((text) => text !== "").map((text) => [idOf(text), text]));
  const field = {
    id: idOf(label.trim()),
    label: label.trim(),
    type,
    choices: [...options].map(([id, text]) => ({ id, label: text })),
  };
  const fields = [{ required: required !== undefined, field }];
  return { collectionId: "team-details", purpose, fields, canSkip: canSkip !== undefined };
}

/** One ID for each text, so that an answer belongs to its question and a choice to its words. */
function idOf(text: string): string {
  return hash("sha256", text.normalize("NFKC").toLowerCase(), "base64url").slice(0, 22);
}
