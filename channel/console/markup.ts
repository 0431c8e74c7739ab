/** HTML of the console: tagged templates that escape what is put into them (hono/html). */
import { html } from "hono/html";

export { html };

/** Escaped HTML. Putting it into another template does not escape it again. */
export type Markup = ReturnType<typeof html>;

export const nothing = "";

/** A visually hidden part of a label, for screen readers. */
export function visuallyHidden(text: string): Markup {
  return html`<span class="visually-hidden">${text}</span>`;
}

/** The beginning of a page, up to the end of its head. `more` is the last part of the head. */
export function documentHead(title: string, more: Markup | typeof nothing = nothing): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Team console</title>
<link rel="icon" href="/console/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/console/assets/console.css">
${more}
</head>`;
}
