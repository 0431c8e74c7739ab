import type { ImportedChat, Lab } from "../../testing/lab/lab-client.ts";

export interface SeedContext {
  lab: Lab;
  /** The channel's time. */
  now: Date;
  /** The origin of the shop's pages and pictures. */
  shopOrigin: string;
}

/** A demo chat. Creating it again changes nothing. */
export interface Seed {
  /** The chat's ID, which ends its link. */
  id: string;
  /** The customer who sees the chat; null when only the team's inbox shows it. */
  customerId: string | null;
  title: string;
  /** Description of the chat's content. */
  about: string;
  chat(context: Pick<SeedContext, "now" | "shopOrigin">): Omit<ImportedChat, "id">;
}

const minute = 60_000;

/** The time `minutes` before `now`, in ISO 8601. */
export function minutesBefore(now: Date, minutes: number): string {
  return new Date(now.getTime() - minutes * minute).toISOString();
}

export const day = 24 * 60;
