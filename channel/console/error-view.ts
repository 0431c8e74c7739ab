/** The page for unknown addresses and failed requests. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { html, type Markup } from "./markup.ts";
import { pageWithoutFrame } from "./sign-in-view.ts";

export function errorPage(error: Error | undefined): Markup {
  const sentence =
    error instanceof ChatApiError || error === undefined
      ? (error?.message ?? "There is nothing at this address.")
      : "Something went wrong. The channel's log says what.";
  return pageWithoutFrame(
    "Not here",
    html`<div class="panel sign-in"><h1>Team console</h1><p>${sentence}</p><p><a href="/console">Back to the inbox</a></p></div>`,
  );
}
