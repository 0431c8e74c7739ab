/** The description of the interface, for programs and for people. Anybody may read it. */
import { randomBytes } from "node:crypto";
import type { ChannelApp } from "./app.ts";
import { docsPage } from "./openapi/docs-page.ts";
import { openApiDocument } from "./openapi/document.ts";
import { json } from "./responses.ts";

export function mountDescription(app: ChannelApp): void {
  const document = openApiDocument();
  app.get("/v1/openapi.json", () => json(200, document));
  app.get("/docs", async (context) => {
    const nonce = randomBytes(16).toString("base64");
    context.header(
      "content-security-policy",
      `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    return context.html(docsPage(document, nonce));
  });
}
