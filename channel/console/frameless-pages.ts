/** Pages without the console's frame, which show nothing of the channel. */
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { documentHead, html, type Markup, nothing } from "../http/markup.ts";

/** The sign-in page, for requests that need the team key. */
export function signInPage(refusal: string | null): Markup {
  return pageWithoutFrame(
    "Sign in",
    html`<form class="sign-in" method="post" action="/console/sign-in">
    <h1>Team console</h1>
    ${refusal === null ? nothing : html`<p data-tone="bad" role="alert">${refusal}</p>`}
    <label>Team key <input type="password" name="key" required autocomplete="current-password" autofocus></label>
    <button value="primary" type="submit">Sign in</button>
    <small>The key is <code>CHANNEL_TEAM_KEY</code>, or in the file <code>team-key</code> of the channel's data folder. Each start prints an address that signs in one browser.</small>
  </form>`,
  );
}

/** The page for unknown URLs and failed requests. */
export function errorPage(error: Error | undefined): Markup {
  const sentence =
    error instanceof ChatApiError || error === undefined
      ? (error?.message ?? "There is nothing at this address.")
      : "Something went wrong. The channel's log says what.";
  return pageWithoutFrame(
    "Page not found",
    html`<div class="sign-in"><h1>Team console</h1><p>${sentence}</p><p><a href="/console">Back to the inbox</a></p></div>`,
  );
}

function pageWithoutFrame(title: string, body: Markup): Markup {
  return html`${documentHead(`${title} · Team console`, "console")}
<body>
<main>${body}</main>
</body>
</html>`;
}
