import { useMemo } from "react";
import type { ChatWidgetProps } from "./widget-props.ts";

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isList: Check = (value) => Array.isArray(value) && value.every(isText);
const isOneOf =
  (...words: unknown[]): Check =>
  (value) =>
    words.includes(value);
const has =
  (...parts: string[]): Check =>
  (value) =>
    parts.every((part) => Object(value)[part] !== undefined);

/** A URL of the host may come from a field of its database, and must not run as a script. */
const urlForm = /^(?:https?:|mailto:|tel:|sms:|whatsapp:|data:image\/)/;
const isSafeUrl: Check = (value) => {
  const url = `${value}`;
  return URL.canParse(url, document.baseURI) && urlForm.test(new URL(url, document.baseURI).href);
};

/** All properties that are data, and their parts. A host may pass more, such as a React ref. */
const checks: Readonly<Record<string, Check>> = {
  api: isText,
  agentName: isText,
  shopName: isText,
  locale: isText,
  customer: isText,
  theme: isOneOf("host", "light", "dark"),
  mode: isOneOf("floating", "inline", "page"),
  side: isOneOf("end", "start"),
  launcher: isOneOf("button", "none"),
  openOnLoad: isOneOf(true, false),
  logo: isSafeUrl,
  suggestions: isList,
  suggestionIcons: isList,
  teamHours: isText,
  help: has("label", "href"),
  pictureOrigins: isList,
  contact: has("label"),
  disclosure: has("label", "text"),
  consent: has("text"),
  label: isText,
  text: isText,
  href: isSafeUrl,
  search: isText,
  version: isText,
  greeting: has("text"),
  after: (value) => typeof value === "number",
  paths: isList,
};
const names = Object.keys(checks);

function check(name: string, value: unknown): unknown {
  if (value !== null && (checks[name]?.(value) ?? true)) return value;
  // biome-ignore lint/suspicious/noConsole: the page's author reads it
  if (value !== null) console.warn(`Shop Chat ignores "${name}": docs/chat-widget.md describes it.`);
  return undefined;
}

/**
 * The page's properties, checked: plain JavaScript and content systems may give values that the chat cannot
 * use. Each of those is replaced by its default, with a warning. The object stays the same while a page that
 * renders again gives equal values.
 */
export function useCheckedProps(given: Partial<ChatWidgetProps>): ChatWidgetProps {
  const json = JSON.stringify(given, names);
  return useMemo(() => ({ agentName: "", shopName: "", ...JSON.parse(json, check) }), [json]);
}
