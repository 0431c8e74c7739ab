/** Times and names as the console writes them. The console speaks English; the chats may not. */
import type { ChatMode } from "#lib/chat-api/chat.ts";
import { html, type Markup } from "../http/pages.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export const modeNames: Record<ChatMode, string> = {
  waiting: "Waiting",
  teammate: "With the team",
  agent: "With the agent",
  resolved: "Resolved",
};

/** A time span in a single unit, such as `4 min`. */
function duration(milliseconds: number): string {
  const span = Math.max(0, milliseconds);
  if (span < minute) return "under 1 min";
  if (span < hour) return `${Math.floor(span / minute)} min`;
  if (span < 2 * day) return `${Math.floor(span / hour)} h`;
  return `${Math.floor(span / day)} days`;
}

/** A moment in the team's time zone, with its date unless it is today. */
export function moment(iso: string | null, view: { now: Date; timeZone: string }): Markup {
  if (iso === null) return html`time unknown`;
  const at = new Date(iso);
  const isToday = dateIn(at, view.timeZone) === dateIn(view.now, view.timeZone);
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: view.timeZone,
    timeStyle: "short",
    ...(isToday ? {} : { dateStyle: "medium" }),
  });
  return html`<time datetime="${iso}" title="${iso}">${format.format(at)}</time>`;
}

/** A moment with its weekday and date, but no year. */
export function comingMoment(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
  }).format(at);
}

export function byteCount(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** The beginning of a long wait, in milliseconds. */
const longWait = 5 * minute;

/** How long the customer has waited for the team. */
export function waiting({ now }: { now: Date }, since: string): Markup {
  const waited = now.getTime() - Date.parse(since);
  return html`<mark data-tone="${waited < longWait ? "warn" : "bad"}"><span class="visually-hidden">waiting </span>${duration(waited)}</mark>`;
}

/** The inbox's name for a customer: `cust.maya-okafor` is Maya Okafor, a random ID a guest. */
export function customerLabel(userId: string): string {
  const named = /^cust\.(.+)$/.exec(userId)?.[1];
  if (named !== undefined)
    return named.replaceAll(/(^|[-_.])(\p{L})/gu, (_, gap, letter) => `${gap && " "}${letter.toUpperCase()}`);
  return /^[A-Za-z0-9_-]{16,}$/.test(userId) ? `Guest ${userId.slice(-4)}` : userId;
}

function dateIn(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at);
}
