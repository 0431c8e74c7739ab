/** Decides which pages may call a route: the defence against cross-site requests (docs/production.md). */
import { ChatApiError } from "../../chat-api/errors.ts";
import type { ChatRequest } from "../exchange/chat-request.ts";

/**
 * - `anywhere`: health checks, metrics (which need a token) and the widget's script.
 * - `own_pages`: scripts of the shop's pages only.
 * - `own_pages_or_address_bar`: any request of the shop's pages or of the address bar. For files, which
 *   `<img>` and links request without our header.
 */
export type PageRule = "anywhere" | "own_pages" | "own_pages_or_address_bar";

/** A page of another site cannot send this header without a CORS permission, which the BFF never gives. */
export const clientHeader = "x-chat-client";

/** @throws ChatApiError `request_not_allowed` */
export function requireAllowedPage(request: ChatRequest, rule: PageRule, appOrigin: string): void {
  if (rule === "anywhere") return;
  const { headers } = request;
  const origin = headers.get("origin");
  if (origin !== null && origin !== appOrigin) throw wrongOrigin(appOrigin);

  const site = headers.get("sec-fetch-site");
  const fromAddressBar = rule === "own_pages_or_address_bar" && site === "none";
  // Browsers send `Sec-Fetch-Site`. Older ones at least send `Origin` with requests that change something.
  const sameOrigin = site === null ? origin === appOrigin : site === "same-origin";
  if (!sameOrigin && !fromAddressBar) throw new ChatApiError("request_not_allowed");
  if (rule === "own_pages" && headers.get(clientHeader) !== "1")
    throw new ChatApiError("request_not_allowed");
}

/**
 * The message names the usual cause in development: the page was opened at 127.0.0.1, which is a different
 * origin from localhost.
 */
function wrongOrigin(appOrigin: string): ChatApiError {
  return new ChatApiError("request_not_allowed", {
    message: `This page has another address than the shop. Open it at ${appOrigin} (APP_ORIGIN).`,
  });
}
