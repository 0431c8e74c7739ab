/**
 * System messages about the team, in the customer's language. They are plain text without times: the client
 * shows the times of `Chat.handoff` in the customer's time zone.
 */
import { readFileSync } from "node:fs";

/** One text for each event; `{name}` is the teammate's. */
interface Notices {
  /** The request has reached the team. `Chat.handoff` says when and how the team replies. */
  waiting: string;
  joined: string;
  left: string;
  /** The agent answers again, and no teammate had joined. */
  returned: string;
  resolved: string;
  failed: string;
  detailsReceived: string;
}
export type Notice = keyof Notices;

const file = new URL("./notices.json", import.meta.url);
const languages: Readonly<Record<string, Notices>> & { en: Notices } = JSON.parse(readFileSync(file, "utf8"));

const rightToLeft = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const leftToRightMark = "\u200E";

/** `locale` is any BCP 47 tag; other languages get English. */
export function noticeText(notice: Notice, locale: string, name = ""): string {
  const language = locale.split("-", 1)[0]?.toLowerCase() ?? "";
  const notices = Object.hasOwn(languages, language) ? languages[language] : undefined;
  const template = (notices ?? languages.en)[notice];
  const text = template.replace("{name}", () => name);
  // Clients take a text's direction from its first letter, which would be that of an Arabic name.
  return template.startsWith("{name}") && rightToLeft.test(name) ? leftToRightMark + text : text;
}
