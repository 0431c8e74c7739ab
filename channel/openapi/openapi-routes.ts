/** Serves the reference of the Chat API for people and programs, without a key. */
import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ChannelApp, ChannelContext } from "../http/app.ts";
import { json } from "../http/responses.ts";
import { openApiDocument } from "./document.ts";
import { languageModelIndex, referenceContent, referenceMarkdown, referencePage } from "./reference-page.ts";
import type { Caller } from "./samples.ts";

/** How many origins' renderings are kept, because callers choose the origin. People use one or two. */
const keptOrigins = 4;

export interface OpenApiDeps {
  app: ChannelApp;
  channelKey: string;
  /**
   * Where a program on this machine reads the chat key. The key itself is not shown: nothing in a request
   * proves that it comes from this machine (docs/decisions, "The console asks everyone for a token or key").
   */
  chatKeyFile?: string | undefined;
}

export function mountOpenApi({ app, channelKey, chatKeyFile }: OpenApiDeps): void {
  // Rendering takes tens of milliseconds and needs no key. Only the origin varies.
  const perOrigin = <T extends object | string>(render: (caller: Caller) => T) => {
    const cache = new LRUCache<string, T>({ max: keptOrigins });
    return ({ req }: ChannelContext): T => {
      const origin = originOf(req.url);
      const rendered = cache.get(origin) ?? render({ origin, channelKey, chatKeyFile });
      cache.set(origin, rendered);
      return rendered;
    };
  };
  const [documentFor, markdownFor, indexFor, contentFor] = [
    perOrigin(openApiDocument),
    perOrigin(referenceMarkdown),
    perOrigin(languageModelIndex),
    perOrigin(referenceContent),
  ];
  const text = (body: string, type: string) =>
    new Response(body, { headers: { "content-type": `${type}; charset=utf-8` } });
  app.get("/v1/openapi.json", (context) => json(200, documentFor(context)));
  app.get("/docs.md", (context) => text(markdownFor(context), "text/markdown"));
  app.get("/llms.txt", (context) => text(indexFor(context), "text/plain"));
  app.get("/", (context) => context.redirect("/docs"));
  app.get("/docs", async (context) => {
    const nonce = randomBytes(16).toString("base64");
    context.header(
      "content-security-policy",
      `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    return context.html(referencePage(contentFor(context), nonce));
  });
}

/** The address that the caller used. The samples are commands, so nothing unusual of `Host` enters them. */
function originOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${/^[\w.:[\]-]+$/.test(host) ? host : "localhost"}`;
}
