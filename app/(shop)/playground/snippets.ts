/** The code of the playground's chat, to copy. Defaults are left out. */
export interface Choices {
  mode: "floating" | "inline" | "page";
  side: "start" | "end";
  launcher: "button" | "none";
  openOnLoad: boolean;
  theme: "host" | "light" | "dark";
  locale: string;
  suggestions: readonly string[];
}

export const defaults: Choices = {
  mode: "floating",
  side: "end",
  launcher: "button",
  openOnLoad: false,
  theme: "host",
  locale: "en-GB",
  suggestions: [],
};

/** The properties that differ from the chat's defaults. */
function changed({ mode, side, launcher, openOnLoad, theme }: Choices): [string, string | true][] {
  const isFloating = mode === "floating";
  const all: [string, string | boolean, string | boolean][] = [
    ["mode", mode, defaults.mode],
    ["side", isFloating ? side : defaults.side, defaults.side],
    ["launcher", isFloating ? launcher : defaults.launcher, defaults.launcher],
    ["theme", theme, defaults.theme],
    ["openOnLoad", openOnLoad, defaults.openOnLoad],
  ];
  return all.flatMap(([name, value, usual]) => (value === usual || value === false ? [] : [[name, value]]));
}

export function reactSnippet(choices: Choices): string {
  const lines = changed(choices).map(([name, value]) => (value === true ? name : `${name}="${value}"`));
  if (choices.suggestions.length > 0) lines.push(`suggestions={${JSON.stringify(choices.suggestions)}}`);
  return `"use client";
import { ChatWidget } from "shop-chat/react";
import "shop-chat/style.css";

export function Chat() {
  return (
    <ChatWidget
${[`agentName="Wren"`, `shopName="Tarn & Tread"`, `locale="${choices.locale}"`, ...lines]
  .map((line) => `      ${line}`)
  .join("\n")}
    />
  );
}
`;
}

export function elementSnippet(choices: Choices): string {
  const lines = changed(choices).map(([name, value]) =>
    value === true ? "open-on-load" : `${name}="${value}"`,
  );
  if (choices.suggestions.length > 0) lines.push(`suggestions="${escaped(choices.suggestions.join(" | "))}"`);
  return `<script type="module" src="/api/chat/embed.js"></script>
<shop-chat
${[`agent-name="Wren"`, `shop-name="Tarn &amp; Tread"`, `locale="${choices.locale}"`, ...lines]
  .map((line) => `  ${line}`)
  .join("\n")}
></shop-chat>
`;
}

export const serverSnippet = `// app/api/chat/[[...path]]/route.ts
import { toNextHandler } from "shop-chat/next";
import { createChatServer } from "shop-chat/server";

const chat = createChatServer();
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandler(chat);
`;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
