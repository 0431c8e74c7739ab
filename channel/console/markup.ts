/** HTML of the console: tagged templates that escape what is put into them (hono/html). */
import { html } from "hono/html";

export { html };

/** Escaped HTML. Putting it into another template does not escape it again. */
export type Markup = ReturnType<typeof html>;

export const nothing = "";

/** Icons are drawn by the stylesheet: no picture, no script, nothing that a policy must allow. */
export function icon(name: string): Markup {
  return html`<span class="icon icon-${name}" aria-hidden="true"></span>`;
}

/** A hidden part of a label, for those who hear the page. */
export function spoken(text: string): Markup {
  return html`<span class="spoken">${text}</span>`;
}
