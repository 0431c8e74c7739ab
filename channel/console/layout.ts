/** The frame of the console's pages, except those in `frameless-pages.ts`. */
import { documentHead, html, type Markup, nothing } from "../http/markup.ts";
import type { ConsoleView, Section } from "./view.ts";

export interface Page {
  title: string;
  section: Section;
  /** The column that a small screen shows: the list, or the item chosen in it. */
  focus?: "list" | "item";
  body: Markup;
}

export function layout(view: ConsoleView, page: Page): Markup {
  return html`${documentHead(`${page.title} · Team console`, "console", html`<script defer src="/assets/idiomorph.js"></script><script type="module" src="/assets/console.js"></script>`)}
<body data-focus="${page.focus ?? "item"}">
<a class="visually-hidden" href="#main">Skip to content</a>
<header>
  <p><strong>Team console</strong> <small><code>${view.channelKey}</code></small></p>
  <nav aria-label="Console">
    ${sectionLink(page.section, "inbox", "/console", "Inbox", view.counts.waiting)}
    ${sectionLink(page.section, "requests", "/console/requests", "Requests")}
    ${view.labIsOn ? sectionLink(page.section, "lab", "/console/lab", "Lab") : nothing}
  </nav>
  <p data-live="availability" id="availability"><small>${view.availability}</small></p>
  ${teammateSwitch(view)}
  <form method="post" action="/console/sign-out" data-plain><button type="submit">Sign out</button></form>
</header>
<main id="main" tabindex="-1">
<div id="notice" role="status" data-live="notice">${
    view.notice === null ? nothing : html`<p data-tone="${view.notice.tone}">${view.notice.text}</p>`
  }</div>
<p data-tone="bad" id="offline" role="alert" hidden>The channel does not answer. Trying again.</p>
${page.focus === "list" ? html`<h1 class="visually-hidden">${page.title}</h1>` : nothing}
${page.body}
</main>
</body>
</html>`;
}

function sectionLink(
  current: Section,
  section: Section,
  href: string,
  label: string,
  count?: number,
): Markup {
  const mark = current === section ? html` aria-current="page"` : nothing;
  const badge =
    count === undefined
      ? nothing
      : html`<mark data-tone="warn" id="count-${section}" data-live="count-${section}"${count === 0 ? " hidden" : ""}>${count}<span class="visually-hidden"> waiting</span></mark>`;
  return html`<a href="${href}"${mark}>${label}${badge}</a>`;
}

function teammateSwitch(view: ConsoleView): Markup {
  const choices =
    view.members.length === 0
      ? html`<input id="teammate" name="teammate" value="${view.teammate}" required maxlength="80" autocomplete="name">`
      : html`<select id="teammate" name="teammate">${view.members.map(
          (name) => html`<option${name === view.teammate ? " selected" : ""}>${name}</option>`,
        )}</select>`;
  return html`<form class="row" method="post" action="/console/teammate">
    <label for="teammate">You are</label>${choices}<button type="submit" data-unscripted>Set</button>
  </form>`;
}
