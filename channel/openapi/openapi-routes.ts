/** Serves the reference of the Chat API for people and programs, without a key. */
import type { ChannelApp, ChannelContext } from "../http/app.ts";
import { json } from "../http/responses.ts";
import { isLoopback } from "../loopback.ts";
import { openApiDocument } from "./document.ts";
import { type Caller, referenceMarkdown, referencePage } from "./reference-page.ts";

export interface OpenApiDeps {
  app: ChannelApp;
  channelKey: string;
  /**
   * Where a program on this machine reads the chat key. The key itself is not shown: nothing in a request
   * proves that it comes from this machine (docs/decisions, "The console asks everyone for a token or key").
   */
  chatKeyFile?: string | undefined;
}

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function mountOpenApi({ app, channelKey, chatKeyFile }: OpenApiDeps): void {
  const callerOf = ({ req }: ChannelContext): Caller => ({
    origin: originOf(req.url),
    channelKey,
    // A website whose name was rebound to this machine may not learn the user's folders.
    chatKeyFile: isLoopback(new URL(req.url).hostname) ? chatKeyFile : undefined,
  });
  app.get("/v1/openapi.json", (context) => json(200, openApiDocument(originOf(context.req.url))));
  for (const path of ["/docs.md", "/llms.txt"])
    app.get(path, (context) =>
      context.body(referenceMarkdown(callerOf(context)), 200, {
        "content-type": "text/markdown; charset=utf-8",
      }),
    );
  // For people; to a program this is an unknown path.
  app.get("/", (context, next) =>
    context.req.header("accept")?.includes("text/html") === true ? context.redirect("/docs") : next(),
  );
  // Rendered once for each address in a row: it takes tens of milliseconds and needs no key.
  let rendered: { origin: string; page: ReturnType<typeof referencePage> } | undefined;
  app.get("/docs", (context) => {
    const caller = callerOf(context);
    const { origin } = caller;
    if (rendered?.origin !== origin) rendered = { origin, page: referencePage(caller) };
    return context.html(rendered.page, 200, { "content-security-policy": policy });
  });
}

/** The address that the caller used. The samples are commands, so nothing unusual of `Host` enters them. */
function originOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${/^[\w.:[\]-]+$/.test(host) ? host : "localhost"}`;
}
