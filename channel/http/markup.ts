/** HTML of the channel's pages: tagged templates that escape what is put into them (hono/html). */
import { html } from "hono/html";

export { html };

/** Escaped HTML. Putting it into another template does not escape it again. */
export type Markup = ReturnType<typeof html>;

export const nothing = "";

/** The beginning of a page, up to the end of its head. `style` names a stylesheet; `more` ends the head. */
export function documentHead(title: string, style: string, more: Markup | typeof nothing = nothing): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/base.css">
<link rel="stylesheet" href="/assets/${style}.css">
${more}
</head>`;
}
