import type { ChatWidgetProps } from "#components/chat/chat-widget.tsx";

/** The code of the playground's chat, to copy. */
export function reactSnippet(choices: ChatWidgetProps): string {
  const lines = entriesOf(choices).map(([name, value]) => {
    if (value === true) return name;
    return `${name}=${typeof value === "string" ? `"${value}"` : `{${JSON.stringify(value)}}`}`;
  });
  return `"use client";
import { ChatWidget } from "shop-chat/react";
import "shop-chat/style.css";

export function Chat() {
  return (
    <ChatWidget
${lines.map((line) => `      ${line}`).join("\n")}
    />
  );
}
`;
}

function entriesOf(choices: ChatWidgetProps): [string, unknown][] {
  return Object.entries(choices).filter(([, value]) => value !== undefined);
}

export function elementSnippet(choices: ChatWidgetProps): string {
  const lines = entriesOf(choices).flatMap(([name, value]) => attributesOf(name, value));
  const { strings } = choices;
  const file =
    strings === undefined ? "" : `\n<!-- /chat-strings.json -->\n${JSON.stringify({ strings }, null, 2)}\n`;
  return `<script type="module" src="/api/chat/embed.js"></script>
<shop-chat
${lines.map((line) => `  ${line}`).join("\n")}
></shop-chat>
${file}`;
}

function attributesOf(property: string, value: unknown): string[] {
  const name = property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (name === "strings") return ['strings-src="/chat-strings.json"'];
  if (value === true) return [name];
  if (name === "suggestions" && Array.isArray(value))
    return attributesOf(name, value.map((one) => String(one).replaceAll("|", "\\|")).join(" | "));
  if (Array.isArray(value)) return attributesOf(name, value.join(" "));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([part, inner]) => attributesOf(`${name}-${part}`, inner));
  return [`${name}="${String(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`];
}

/** The chat's look as a rule of the page's style sheet. */
export function styleSnippet(styles: Readonly<Record<string, string>>): string {
  const lines = Object.entries(styles).map(([name, value]) => `  ${name}: ${value};\n`);
  return lines.length === 0 ? "/* The chat's own look. */\n" : `:root {\n${lines.join("")}}\n`;
}

export const serverSnippet = `// app/api/chat/[[...path]]/route.ts
import { toNextHandler } from "shop-chat/next";
import { createChatServer } from "shop-chat/server";

const chat = createChatServer();
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandler(chat);
`;
