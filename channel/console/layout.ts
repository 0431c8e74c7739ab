/** The frame of the console's pages, and the pages without one, which show nothing of the channel. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { documentHead, html, type Markup, nothing } from "../http/pages.ts";
import type { Fault } from "../lab/faults.ts";
import type { Availability } from "../lab/lab-client.ts";
import type { pendingReplies } from "../lab/scripted-replies.ts";
import type { ModeCounts, TeamChatSummary } from "../team/team-inbox.ts";
import type { ChannelClient } from "./channel-client.ts";
import { comingMoment } from "./wording.ts";

/** `GET /lab` */
export interface LabState {
  now: string;
  published: boolean;
  suspended: boolean;
  limits: Record<string, number>;
  faults: readonly Fault[];
  replies: Awaited<ReturnType<typeof pendingReplies>>;
}

/** The pages' view of the channel, and the person who looks at it. */
export interface ConsoleView {
  client: ChannelClient;
  /** The path of the channel's pages. */
  base: string;
  /** The key of a channel that the lab has created; undefined for the first one. */
  channelKey: string | undefined;
  /** The channel's time; the lab can move it. */
  now: Date;
  /** The time zone in which chats show times: the team's, or UTC if it keeps no hours. */
  timeZone: string;
  team: Availability;
  /** The teammate at this browser, whose cookie holds the name. */
  teammate: string;
  /** The names to choose from; empty if the shop names nobody, so that any name is allowed. */
  members: readonly string[];
  counts: ModeCounts;
  chats: readonly TeamChatSummary[];
  /** Undefined without the lab. */
  lab: LabState | undefined;
  /** The outcome of the last action, shown once. */
  notice: { tone: "good" | "bad"; text: string } | null;
}

export interface Page {
  title: string;
  section: "inbox" | "requests" | "lab" | "channels";
  /** The column that a small screen shows: the list, or the item chosen in it. */
  focus?: "list" | "item";
  /** Where the page is polled, if its own address may come to show another chat. */
  address?: string;
  body: Markup;
}

export function layout(view: ConsoleView, page: Page): Markup {
  const { waiting } = view.counts;
  const link = (section: Page["section"], href: string, label: string, badge: Markup | string = nothing) =>
    html`<a href="${href}"${page.section === section ? html` aria-current="page"` : nothing}>${label} ${badge}</a>`;
  return html`${documentHead(`${page.title} · Team console`, "console", html`<script defer src="/assets/idiomorph.js"></script><script type="module" src="/assets/console.js"></script>`)}
<body data-focus="${page.focus ?? "item"}"${page.address === undefined ? nothing : html` data-address="${page.address}"`}>
<a class="visually-hidden" href="#main">Skip to content</a>
<header>
  <p><strong>Team console</strong>${view.channelKey === undefined ? nothing : html` <small><code>${view.channelKey}</code></small>`}</p>
  <nav aria-label="Console">
    ${link("inbox", view.base, "Inbox", html`<mark data-tone="warn" id="count-inbox"${waiting === 0 ? " hidden" : ""}>${waiting}<span class="visually-hidden"> waiting</span></mark>`)}
    ${
      view.lab === undefined
        ? nothing
        : html`${link("requests", `${view.base}/requests`, "Requests")}${link("lab", `${view.base}/lab`, "Lab")}${link("channels", "/console/channels", "Channels")}`
    }
  </nav>
  <p id="availability"><small>${availability(view)}</small></p>
  ${teammateSwitch(view)}
  <form method="post" action="/console/sign-out" data-plain><button type="submit">Sign out</button></form>
</header>
<main id="main" tabindex="-1">
<div id="notice" role="status">${view.notice === null ? nothing : html`<p data-tone="${view.notice.tone}">${view.notice.text}</p>`}</div>
<p data-tone="bad" id="offline" role="alert" hidden>The channel does not answer. Trying again.</p>
<p data-tone="bad" id="signed-out" role="alert" hidden>You are signed out. <a href="/console/sign-in" target="_blank" rel="noopener">Sign in</a> in another tab: what you have typed stays here.</p>
${page.focus === "list" ? html`<h1 class="visually-hidden">${page.title}</h1>` : nothing}
${page.body}
</main>
</body>
</html>`;
}

function availability({ team: { nextAvailableAt, timezone }, timeZone }: ConsoleView): string {
  if (nextAvailableAt !== null)
    return `The team is away until ${comingMoment(new Date(nextAvailableAt), timeZone)}.`;
  return timezone === null ? "The team is always available." : "The team is available.";
}

function teammateSwitch({ base, members, teammate }: ConsoleView): Markup {
  const choices =
    members.length === 0
      ? html`<input id="teammate" name="teammate" value="${teammate}" required maxlength="80" autocomplete="name">`
      : html`<select id="teammate" name="teammate">${members.map((name) => html`<option${name === teammate ? " selected" : ""}>${name}</option>`)}</select>`;
  return html`<form class="row" method="post" action="${base}/teammate">
    <label for="teammate">You are</label>${choices}<button type="submit" data-unscripted>Set</button>
  </form>`;
}

/** The sign-in page. `back` is the page that asked for it. */
export function signInPage(back = "/console", refusal?: string): Markup {
  return pageWithoutFrame(
    "Sign in",
    html`<form class="sign-in" method="post" action="/console/sign-in">
    <h1>Team console</h1>
    ${refusal === undefined ? nothing : html`<p data-tone="bad" role="alert">${refusal}</p>`}
    <input type="hidden" name="back" value="${back}">
    <label>Team key <input type="password" name="key" required autocomplete="current-password" autofocus></label>
    <button value="primary" type="submit">Sign in</button>
    <small>The key is <code>CHANNEL_TEAM_KEY</code>, or in the file <code>team-key</code> of the channel's data folder. Each start prints an address that signs in one browser.</small>
  </form>`,
  );
}

/** The page for unknown URLs and failed requests. */
export function errorPage(error: Error | undefined): Markup {
  const sentence =
    error instanceof ChatApiError || error === undefined
      ? (error?.message ?? "There is nothing at this address.")
      : "Something went wrong. The channel's log says what.";
  return pageWithoutFrame(
    "Page not found",
    html`<div class="sign-in"><h1>Team console</h1><p>${sentence}</p><p><a href="/console">Back to the inbox</a></p></div>`,
  );
}

const pageWithoutFrame = (
  title: string,
  body: Markup,
) => html`${documentHead(`${title} · Team console`, "console")}
<body>
<main>${body}</main>
</body>
</html>`;
