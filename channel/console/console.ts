/** The console: pages for people, which are a client of a channel's `/team` and `/lab`. */
import { hash, randomUUID } from "node:crypto";
import { getCookie, setCookie } from "hono/cookie";
import { type ChatMode, chatModes } from "#lib/chat-api/chat.ts";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { type ChannelContext, createApp } from "../http/app.ts";
import { html, mountAssets } from "../http/pages.ts";
import { type Address, listen } from "../http/server.ts";
import type { Availability, DeliveredNotice, ListedChannel, RecordedRequest } from "../lab/lab-client.ts";
import type { TeamChat } from "../team/team-inbox.ts";
import { type AccessDeps, backToPage, cookieOptions, type Fields, fieldsOf, mountAccess } from "./access.ts";
import { channelClient, type Fetch } from "./channel-client.ts";
import { conversation, inbox } from "./chat-pages.ts";
import { type LabState, labPage, type RequestSummary, requestPage } from "./lab-page.ts";
import { type ConsoleView, layout } from "./layout.ts";
import { customerLabel, modeNames } from "./wording.ts";

export interface ConsoleDeps extends AccessDeps {
  fetch: Fetch;
  channelUrl: string;
  /** Names that the teammate can choose from. */
  members?: readonly string[] | undefined;
}

const rememberedFor = 365 * 24 * 60 * 60;

/** The bodies of the team's actions by their name, from the form's fields and the teammate's name. */
const actionBodies = new Map<string, (fields: Fields, name: string) => object>([
  ["claim", ({ takesOver }, name) => ({ name, takesOver: takesOver !== undefined })],
  ["messages", ({ text = "" }, name) => ({ text, name })],
  ["release", () => ({})],
  ["resolve", () => ({})],
  ["fail", () => ({})],
  [
    "form",
    ({ purpose, label = "" }, name) => ({ name, form: { purpose, fields: [question(label.trim())] } }),
  ],
]);

/** One ID for each text, so that an answer belongs to its question. */
function question(label: string): object {
  const id = hash("sha256", label.normalize("NFKC").toLowerCase(), "base64url").slice(0, 22);
  return { required: true, field: { id, label, type: "text" } };
}

export function mountConsole(deps: ConsoleDeps): void {
  const { app, members = [] } = deps;
  mountAccess(deps);
  mountAssets(app);
  const clientOf = (teamKey: string) => channelClient(deps.fetch, deps.channelUrl, teamKey);
  const first = clientOf(deps.teamKey);
  const listChannels = async () => (await first.get<{ items: ListedChannel[] }>("/lab/channels")).items;
  const nameOf = (context: ChannelContext) => getCookie(context, "teammate") ?? members[0] ?? "Teammate";

  app.post("/console/teammate", async (context) => {
    const { teammate = "" } = await fieldsOf(context);
    setCookie(context, "teammate", teammate.trim(), { ...cookieOptions(context), maxAge: rememberedFor });
    return backToPage(context);
  });

  /** The channel that the path names; by default the first one. */
  async function channelOf(context: ChannelContext) {
    const channelKey = context.req.param("channelKey");
    if (channelKey === undefined) return { client: first, base: "/console", channelKey };
    const listed = (await listChannels()).find((channel) => channel.channelKey === channelKey);
    if (listed === undefined)
      throw new ChatApiError("not_found", {
        message: `There is no channel ${channelKey}. A test drops its own at its end.`,
      });
    return { client: clientOf(listed.teamKey), base: `/console/channels/${channelKey}`, channelKey };
  }

  const modeOf = ({ req }: ChannelContext) => chatModes.find((mode) => mode === req.query("mode"));

  async function viewOf(context: ChannelContext): Promise<ConsoleView> {
    const channel = await channelOf(context);
    const mode = modeOf(context);
    const list = (one: ChatMode | undefined) =>
      channel.client.get<{ items: ConsoleView["chats"]; counts: ConsoleView["counts"] }>(
        `/team/chats?limit=200${one === undefined ? "" : `&mode=${one}`}`,
      );
    const [{ items, counts }, waiting, { item: team }] = await Promise.all([
      list(mode),
      // Who waits longest comes first, however many chats have changed since.
      mode === undefined ? list("waiting") : undefined,
      channel.client.get<{ item: Availability }>("/team/hours"),
    ]);
    const longest = waiting?.items ?? [];
    const others = items.filter(({ chat }) => !longest.some((one) => one.chat.id === chat.id));
    const order = Object.keys(modeNames);
    others.sort((a, b) => order.indexOf(a.chat.mode) - order.indexOf(b.chat.mode));
    const chats = [...longest, ...others];
    const now = new Date(team.now);
    const timeZone = team.timezone ?? "UTC";
    return { ...channel, now, timeZone, team, teammate: nameOf(context), members, counts, chats };
  }

  /** @param problem Why the chat's last action was refused */
  async function showChat(context: ChannelContext, problem?: string) {
    const chatId = context.req.param("chatId") ?? "";
    const view = await viewOf(context);
    const { item } = await view.client.get<{ item: TeamChat }>(`/team/chats/${encodeURIComponent(chatId)}`);
    const title = customerLabel(item.chat.userId);
    const body = inbox(view, modeOf(context), conversation(view, item, randomUUID()), chatId);
    return context.html(layout(view, { title, section: "inbox", problem, body }));
  }

  for (const root of ["/console", "/console/channels/:channelKey"]) {
    // A page of a chat has its address, also the first one's: a poll asks for the chat on the page.
    app.get(root, async (context) => {
      const named = context.req.query("channel");
      if (named !== undefined) return context.redirect(`/console/channels/${encodeURIComponent(named)}`, 303);
      const view = await viewOf(context);
      const [newest] = view.chats;
      const { search } = new URL(context.req.url);
      if (newest !== undefined) return context.redirect(`${view.base}/chats/${newest.chat.id}${search}`, 303);
      const none = html`<section aria-label="Conversation"><h1>Inbox</h1><p>There is no chat here.</p></section>`;
      const body = inbox(view, modeOf(context), none);
      return context.html(layout(view, { title: "Inbox", section: "inbox", body }));
    });

    app.get(`${root}/chats/:chatId`, (context) => showChat(context));

    app.get(`${root}/chats/:chatId/files/:fileId`, async (context) => {
      const { client } = await channelOf(context);
      const [chatId, fileId] = [context.req.param("chatId"), context.req.param("fileId")].map(
        encodeURIComponent,
      );
      const { body, headers } = await client.request(`/team/chats/${chatId}/files/${fileId}`);
      return new Response(body, {
        headers: {
          "content-type": headers.get("content-type") ?? "",
          "content-disposition": headers.get("content-disposition") ?? "attachment",
          // Keeps a picture's own scripts from running.
          "content-security-policy": "default-src 'none'; sandbox",
        },
      });
    });

    app.post(`${root}/chats/:chatId/:action`, async (context) => {
      const { chatId = "", action = "" } = context.req.param();
      const bodyOf = actionBodies.get(action);
      if (bodyOf === undefined) throw new ChatApiError("not_found");
      const { client } = await channelOf(context);
      const fields = await fieldsOf(context);
      const problem = await client
        .request(`/team/chats/${encodeURIComponent(chatId)}/${action}`, {
          method: "POST",
          headers: fields["key"] === undefined ? {} : { "idempotency-key": fields["key"] },
          body: JSON.stringify(bodyOf(fields, nameOf(context))),
        })
        .then(() => undefined, messageOf);
      if (problem === undefined) return backToPage(context);
      context.status(409);
      return showChat(context, problem);
    });

    app.get(`${root}/requests/:requestId`, async (context) => {
      const view = await viewOf(context);
      const requestId = encodeURIComponent(context.req.param("requestId") ?? "");
      const path = `/lab/requests?requestId=${requestId}`;
      const [seen] = (await view.client.get<{ items: RecordedRequest[] }>(path)).items;
      if (seen === undefined) throw new ChatApiError("not_found");
      return context.html(layout(view, { title: "Request", section: "lab", body: requestPage(view, seen) }));
    });

    app.get(`${root}/lab`, async (context) => {
      const view = await viewOf(context);
      const { client } = view;
      const [{ item: lab }, { items: requests }, { items: notices }, channels] = await Promise.all([
        client.get<{ item: LabState }>("/lab"),
        client.get<{ items: RequestSummary[] }>("/lab/requests?limit=200&exchanges=false"),
        client.get<{ items: DeliveredNotice[] }>("/lab/notices"),
        listChannels(),
      ]);
      const hasReads = context.req.query("reads") !== undefined;
      const body = labPage(view, { lab, requests, hasReads, notices, channels });
      return context.html(layout(view, { title: "Lab", section: "lab", body }));
    });

    app.post(`${root}/lab/clock`, async (context) => {
      const { advanceSeconds } = await fieldsOf(context);
      const body = JSON.stringify({ advanceSeconds: Number(advanceSeconds) });
      await (await channelOf(context)).client.request("/lab/clock", { method: "POST", body });
      return backToPage(context);
    });

    app.post(`${root}/lab/faults`, async (context) => {
      await (await channelOf(context)).client.request("/lab/faults", { method: "DELETE" });
      return backToPage(context);
    });
  }
}

function messageOf(error: unknown): string {
  if (error instanceof ChatApiError) return error.message;
  throw error;
}

/**
 * Serves the console alone, beside a channel on this machine or elsewhere.
 * @returns the port, and how to end
 */
export async function serveConsole(options: Omit<ConsoleDeps, "app" | "fetch"> & Address) {
  const app = createApp({
    report: (where, error) => process.stderr.write(`${where}: ${String(error)}\n`),
    logRequest: () => undefined,
  });
  mountConsole({ ...options, app, fetch: globalThis.fetch });
  const server = await listen(async (request, bindings) => app.fetch(request, bindings), options);
  return { port: server.port, close: () => server.close(0) };
}
