/** Times and names as the console writes them. The console speaks English; the chats may not. */
import type { ChatMode } from "#lib/chat-api/chat.ts";
import { html, type Markup } from "../http/pages.ts";

const minute = 60_000;
/** The beginning of a long wait. */
const longWait = 5 * minute;

/** The order is that of the inbox: who waits comes first. */
export const modeNames: Record<ChatMode, string> = {
  waiting: "Waiting",
  teammate: "With the team",
  agent: "With the agent",
  resolved: "Resolved",
};

/** The channel's time, which the lab can move, and the team's time zone. */
export interface Clock {
  now: Date;
  timeZone: string;
}

/** A moment in the team's time zone, with its date unless it is today. */
export function moment(iso: string | null, { now, timeZone }: Clock): Markup {
  if (iso === null) return html`time unknown`;
  const day = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "medium" });
  const time = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(new Date(iso));
  const date = day.format(new Date(iso));
  return html`<time datetime="${iso}" title="${iso}">${date === day.format(now) ? time : `${date}, ${time}`}</time>`;
}

/** How long the customer has waited for the team. */
export function waiting({ now }: Clock, since: string): Markup {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / minute));
  const tone = minutes * minute < longWait ? "warn" : "bad";
  return html`<mark data-tone="${tone}"><span class="visually-hidden">waiting </span>${minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`}</mark>`;
}

/** The inbox's name for a customer: `cust.maya-okafor` is Maya Okafor, a random ID a guest. */
export function customerLabel(userId: string): string {
  const named = /^cust\.(.+)$/.exec(userId)?.[1];
  if (named !== undefined)
    return named.replaceAll(/(^|[-_.])(\p{L})/gu, (_, gap, letter) => `${gap && " "}${letter.toUpperCase()}`);
  return /^[A-Za-z0-9_-]{16,}$/.test(userId) ? `Guest ${userId.slice(-4)}` : userId;
}
