/** The frame of the console's pages, what their parts share, and the pages that show nothing of a channel. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { documentHead, html, type Markup, nothing } from "../http/pages.ts";
import type { Availability } from "../lab/lab-client.ts";
import type { ModeCounts, TeamChatSummary } from "../team/team-inbox.ts";
import type { ChannelClient } from "./channel-client.ts";
import { type Clock, moment } from "./wording.ts";

/** The pages' view of the channel, and the person who looks at it. */
export interface ConsoleView extends Clock {
  client: ChannelClient;
  /** The path of the channel's pages. */
  base: string;
  /** The key of a channel that the lab has created; undefined for the first one. */
  channelKey: string | undefined;
  team: Availability;
  /** The teammate at this browser, whose cookie holds the name. */
  teammate: string;
  /** Names to choose from. */
  members: readonly string[];
  counts: ModeCounts;
  chats: readonly TeamChatSummary[];
}

export interface Page {
  title: string;
  section: "inbox" | "lab";
  /** Why the last action was refused. */
  problem?: string | undefined;
  body: Markup;
}

export function layout(view: ConsoleView, { title, section, problem, body }: Page): Markup {
  const { base, channelKey, counts, members, team, teammate } = view;
  const link = (name: Page["section"], href: string, label: Markup) =>
    html`<a href="${href}"${section === name ? html` aria-current="page"` : nothing}>${label}</a>`;
  const away = team.nextAvailableAt && html`The team is away until ${moment(team.nextAvailableAt, view)}.`;
  return html`${documentHead(`${title} · Team console`, "console", html`<script defer src="/assets/idiomorph.js"></script><script type="module" src="/assets/console.js"></script>`)}
<body>
<a class="visually-hidden" href="#main">Skip to content</a>
<header class="row">
  <strong>Team console</strong>
  <nav class="row" aria-label="Console">
    ${link("inbox", base, html`Inbox ${counts.waiting === 0 ? nothing : html`<mark data-tone="warn">${counts.waiting} waiting</mark>`}`)}
    ${link("lab", `${base}/lab`, html`Lab`)}
    ${channelKey === undefined ? nothing : html`<code>${channelKey}</code>`}
  </nav>
  <small id="availability">${away ?? "The team is available."}</small>
  ${form("/console/teammate", "Set", html`<label>You are <input name="teammate" value="${teammate}" list="members" required maxlength="80" pattern=".*\\S.*" autocomplete="name"></label><datalist id="members">${members.map((name) => html`<option>${name}</option>`)}</datalist>`)}
  ${form("/console/sign-out", "Sign out")}
</header>
<main id="main" tabindex="-1">
${problem === undefined ? nothing : html`<p data-tone="bad" id="problem" role="alert">${problem}</p>`}
<p data-tone="bad" id="offline" role="alert" hidden>The channel does not answer. Trying again.</p>
<p data-tone="bad" id="signed-out" role="alert" hidden>You are signed out. <a href="/console" target="_blank" rel="noopener">Sign in</a> in another tab: what you have typed stays here.</p>
${body}
</main>
</body>
</html>`;
}

/** A form with one button. The script sends those within `main` without a reload. */
export function form(action: string, button: string, fields: Markup | string = nothing, isMain = false) {
  return html`<form class="row" method="post" action="${action}" id="form-${action.split("/").at(-1)}">${fields}<button${isMain ? html` class="main"` : nothing}>${button}</button></form>`;
}

export function table(title: string, columns: readonly string[], rows: readonly (Markup | string)[][]) {
  const id = title.toLowerCase().replaceAll(" ", "-");
  const cells = (row: (Markup | string)[]) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  return html`<section id="${id}"><h2>${title}</h2>${
    rows.length === 0
      ? html`<p>None.</p>`
      : html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table>
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows.map(cells)}</tbody>
  </table></div>`
  }</section>`;
}

/** Renders a value of the API: an object without its empty properties, an array, a link or a text. */
export function data(value: unknown): Markup {
  if (Array.isArray(value)) return html`<ul>${value.map((item) => html`<li>${data(item)}</li>`)}</ul>`;
  if (typeof value === "object" && value !== null) {
    const known = Object.entries(value).filter(([, one]) => one !== null && one !== "");
    return html`<dl>${known.map(([name, one]) => html`<div><dt><bdi>${name}</bdi></dt><dd>${data(one)}</dd></div>`)}</dl>`;
  }
  const text = html`<bdi>${String(value)}</bdi>`;
  if (!/^https?:\/\//i.test(String(value))) return text;
  return html`<a href="${String(value)}" target="_blank" rel="noopener noreferrer">${text}</a>`;
}

/** The form is sent to the address that asked for the sign-in, and leads back to it. */
export function signInPage(refusal?: string): Markup {
  return smallPage(
    "Sign in",
    html`${refusal === undefined ? nothing : html`<p data-tone="bad" role="alert">${refusal}</p>`}
    <form method="post">
    <label>Team key <input type="password" name="teamKey" required autocomplete="current-password" autofocus></label>
    <button class="main">Sign in</button>
    </form>
    <small>The key is <code>CHANNEL_TEAM_KEY</code>, or in the file <code>team-key</code> of the channel's data folder. Each start prints an address that signs in one browser.</small>`,
  );
}

/** The page for unknown URLs and failed requests. */
export function errorPage(error: Error | undefined): Markup {
  const sentence =
    error instanceof ChatApiError || error === undefined
      ? (error?.message ?? "There is nothing at this address.")
      : "Something went wrong. The channel's log says what.";
  return smallPage("Error", html`<p>${sentence}</p><p><a href="/console">Back to the inbox</a></p>`);
}

const smallPage = (title: string, body: Markup) => html`${documentHead(`${title} · Team console`, "console")}
<body><main class="small"><h1>Team console</h1>${body}</main></body>
</html>`;
