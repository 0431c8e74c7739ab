/** The reference (docs/chat-api.md) for a caller, as Markdown and as HTML. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { raw } from "hono/html";
import { Marked, type Tokens } from "marked";
import { documentHead, html, type Markup } from "../http/pages.ts";
import { repository } from "./samples.ts";

/** How a program on this machine reaches the channel. */
export interface Caller {
  /** Scheme, host and port. */
  origin: string;
  channelKey: string;
  /** The file with the chat key; the variable `CHAT_KEY` if absent. */
  chatKeyFile: string | undefined;
}

const source = readFileSync(join(import.meta.dirname, "../../docs/chat-api.md"), "utf8");

const inShell = (text: string) =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The document of the repository, with the caller's address and key in place of the repository's. */
export function referenceMarkdown({ origin, channelKey, chatKeyFile }: Caller): string {
  const path = (key: string) => `/v1/channels/${key}`;
  const key = chatKeyFile === undefined ? "$CHAT_KEY" : `$(cat ${inShell(chatKeyFile)})`;
  return source
    .replaceAll(path(repository.channelKey), () => path(channelKey))
    .replaceAll(repository.origin, () => origin)
    .replaceAll(repository.chatKey, () => key)
    .replaceAll(/<!--.*?-->\n*/gs, "")
    .trimStart();
}

export function referencePage(caller: Caller): Markup {
  const { headings, body } = render(referenceMarkdown(caller));
  return html`${documentHead("Chat API", "reference", html`<script type="module" src="/assets/reference.js"></script>`)}
<body>
<a class="visually-hidden" href="#main">Skip to content</a>
<nav aria-label="Contents">
<p><a href="/docs.md">Markdown</a> <a href="/v1/openapi.json">OpenAPI</a> <a href="/console">Console</a></p>
<ul>${headings.map(({ depth, id, text }) => html`<li data-depth="${depth}"><a href="#${id}">${text}</a></li>`)}</ul>
</nav>
<main id="main" tabindex="-1">
${raw(body)}
</main>
</body>
</html>`;
}

function render(markdown: string) {
  const headings: { depth: number; id: string; text: string }[] = [];
  const marked = new Marked({
    renderer: {
      heading({ depth, text, tokens }: Tokens.Heading) {
        // As GitHub makes them, for the links within the page.
        const id = text
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, "")
          .replaceAll(/\s/g, "-");
        if (depth > 1) headings.push({ depth, id, text });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
    hooks: {
      // A wide table or a long line scrolls, also by keyboard, and not the page.
      postprocess: (page) =>
        page
          .replaceAll("<table>", '<div class="scroll" tabindex="0"><table>')
          .replaceAll("</table>", "</table></div>")
          .replaceAll("<pre>", '<pre tabindex="0">')
          .replaceAll(/<code>(GET|POST) /g, '<code><b data-method="$1">$1</b> ')
          .split(/(?=<h[23] )/)
          .map(withSamples)
          .join(""),
    },
  });
  return { body: marked.parse(markdown, { async: false }), headings };
}

const sample = /<details>.*?<\/details>|<pre.*?<\/pre>/gs;

/** A section of the page, whose samples are beside it where there is room. */
function withSamples(section: string): string {
  const samples = (section.match(sample) ?? []).join("\n").replaceAll("<details>", "<details open>");
  return `<section><div>${section.replaceAll(sample, "")}</div><div>${samples}</div></section>\n`;
}
