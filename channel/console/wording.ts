/** Times, amounts and names as the console writes them. The console speaks English; the chats may not. */
import type { ChatMode } from "#lib/chat-api/chat.ts";
import type { Price } from "#lib/chat-api/product.ts";
import { html, type Markup } from "../http/markup.ts";

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
export function duration(milliseconds: number): string {
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

/** A price with its currency; an invalid currency code is shown unchanged. */
export function money(amount: number, currency: Price["currency"]): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`;
  const numbers = new Intl.NumberFormat("en-GB", { style: "currency", currency });
  const { maximumFractionDigits = 0 } = numbers.resolvedOptions();
  if (amount === 0 || Math.abs(amount) >= 0.5 / 10 ** maximumFractionDigits) return numbers.format(amount);
  // It would read as free.
  const tiny = { style: "currency", currency, maximumSignificantDigits: 2 } as const;
  return new Intl.NumberFormat("en-GB", tiny).format(amount);
}

/** The inbox's name for a customer: the ID if it is readable, otherwise the end of the random ID. */
export function customerLabel(userId: string): string {
  const named = /^cust\.(.+)$/.exec(userId)?.[1];
  if (named !== undefined) return named;
  return /^[A-Za-z0-9_-]{16,}$/.test(userId) ? `Guest ${userId.slice(-4)}` : userId;
}

function dateIn(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at);
}
