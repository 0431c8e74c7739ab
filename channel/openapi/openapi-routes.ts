/** Serves the OpenAPI description as JSON and as HTML, without a key. */
import { randomBytes } from "node:crypto";
import type { ChannelApp } from "../http/app.ts";
import { json } from "../http/responses.ts";
import { docsPage } from "./docs-page.ts";
import { openApiDocument } from "./document.ts";

export function mountOpenApi(app: ChannelApp): void {
  const document = openApiDocument();
  app.get("/v1/openapi.json", () => json(200, document));
  app.get("/", (context) => context.redirect("/docs"));
  app.get("/docs", async (context) => {
    const nonce = randomBytes(16).toString("base64");
    context.header(
      "content-security-policy",
      `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    return context.html(docsPage(document, { nonce, origin: new URL(context.req.url).origin }));
  });
}
