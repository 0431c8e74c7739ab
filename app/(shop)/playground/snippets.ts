import type { ChatWidgetProps } from "#components/chat/chat-widget.tsx";

/** The code of the playground's chat, to copy. Defaults are left out. */
export interface Choices {
  mode: "floating" | "inline" | "page";
  side: "start" | "end";
  launcher: "button" | "none";
  openOnLoad: boolean;
  theme: "host" | "light" | "dark";
  locale: string;
  suggestions: readonly string[];
  /** The welcome's title; empty for the chat's own. */
  welcome: string;
  /** Asks before the first message. */
  consent: boolean;
  /** Says that an AI answers. */
  disclosure: boolean;
  /** The greeting's text; empty for none. */
  greeting: string;
}

const consent = { text: "We store what you write and answer it automatically.", href: "/help/privacy" };
const disclosure = { label: "AI assistant", text: "Wren is an AI. It can be wrong: check what matters." };

/** The properties that are objects. Unset ones are left out. */
export function objectsOf(
  choices: Choices,
): Pick<ChatWidgetProps, "strings" | "consent" | "disclosure" | "greeting"> {
  const [strings, greeting] = [stringsOf(choices), greetingOf(choices)];
  return {
    ...(strings === undefined ? {} : { strings }),
    ...(choices.consent ? { consent } : {}),
    ...(choices.disclosure ? { disclosure } : {}),
    ...(greeting === undefined ? {} : { greeting }),
  };
}

export const defaults: Choices = {
  mode: "floating",
  side: "end",
  launcher: "button",
  openOnLoad: false,
  theme: "host",
  locale: "en-GB",
  suggestions: [],
  welcome: "",
  consent: false,
  disclosure: false,
  greeting: "",
};

function stringsOf({ welcome }: Choices): ChatWidgetProps["strings"] {
  return welcome === "" ? undefined : { welcome: { title: welcome } };
}

/** Seconds. */
const greetsAfter = 2;

function greetingOf({ greeting }: Choices): ChatWidgetProps["greeting"] {
  return greeting === "" ? undefined : { text: greeting, after: greetsAfter };
}

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
  for (const [name, value] of Object.entries(objectsOf(choices)))
    lines.push(`${name}={${JSON.stringify(value)}}`);
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
  const strings = stringsOf(choices);
  if (strings !== undefined) lines.push('strings-src="/chat-strings.json"');
  for (const [prefix, texts] of [
    ["consent", choices.consent ? consent : {}],
    ["disclosure", choices.disclosure ? disclosure : {}],
    ["greeting", greetingOf(choices) ?? {}],
  ] as const)
    for (const [name, text] of Object.entries(texts))
      lines.push(`${prefix}-${name}="${escaped(String(text))}"`);
  const file =
    strings === undefined ? "" : `\n<!-- /chat-strings.json -->\n${JSON.stringify({ strings }, null, 2)}\n`;
  return `<script type="module" src="/api/chat/embed.js"></script>
<shop-chat
${[`agent-name="Wren"`, `shop-name="Tarn &amp; Tread"`, `locale="${choices.locale}"`, ...lines]
  .map((line) => `  ${line}`)
  .join("\n")}
></shop-chat>
${file}`;
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
