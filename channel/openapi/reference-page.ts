/** The reference (docs/chat-api.md) for a caller: as Markdown, as an index for language models, as HTML. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { raw } from "hono/html";
import { Marked, type Tokens } from "marked";
import { documentHead, html, type Markup } from "../http/pages.ts";
import { fillTables } from "./fill-tables.ts";
import { referenceTables } from "./reference-tables.ts";
import type { Caller } from "./samples.ts";

const source = readFileSync(join(import.meta.dirname, "../../docs/chat-api.md"), "utf8");

export function referenceMarkdown(caller: Caller): string {
  return fillTables(source, referenceTables(caller))
    .replaceAll(/<!--.*?-->\n*/gs, "")
    .trimStart();
}

/** The index in the form of llmstxt.org. */
export function languageModelIndex(caller: Caller): string {
  const page = referenceMarkdown(caller);
  const [, summary = "", begin = ""] = /^# .*?\n\n(.*?)\n\n## .*?\n\n(.*?)\n\n## /s.exec(page) ?? [];
  const headings = Array.from(page.matchAll(/^## (.*)$/gm), ([, heading = ""]) => heading);
  return `# Chat API

> ${summary.replaceAll("\n", " ")}

${begin}

## Reference

- [Reference](${caller.origin}/docs.md): ${headings.join(", ")}
- [OpenAPI 3.1](${caller.origin}/v1/openapi.json): the same for programs, with samples
`;
}

export function referencePage(caller: Caller): Markup {
  const { headings, body } = render(referenceMarkdown(caller));
  return html`${documentHead("Chat API", "reference", html`<script type="module" src="/assets/reference.js"></script>`)}
<body>
<a class="visually-hidden" href="#main">Skip to content</a>
<nav aria-label="Contents">
<p><a href="/docs.md">Markdown</a> <a href="/v1/openapi.json">OpenAPI</a> <a href="/llms.txt">llms.txt</a> <a href="/console">Console</a></p>
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
