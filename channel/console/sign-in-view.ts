/** The sign-in of a console that is reached from another machine. */
import { documentHead, html, type Markup, nothing } from "./markup.ts";

export function signInPage(refusal: string | null): Markup {
  return pageWithoutFrame(
    "Sign in",
    html`<form class="panel sign-in" method="post" action="/console/sign-in">
    <h1>Team console</h1>
    ${refusal === null ? nothing : html`<p class="notice notice-bad" role="alert">${refusal}</p>`}
    <label>Team key <input type="password" name="key" required autocomplete="current-password" autofocus></label>
    <button class="primary" type="submit">Sign in</button>
  </form>`,
  );
}

/** A page without the console's frame, which shows nothing of the channel. */
export function pageWithoutFrame(title: string, body: Markup): Markup {
  return html`${documentHead(title)}
<body>
<main>${body}</main>
</body>
</html>`;
}
