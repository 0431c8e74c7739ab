import type { ChatClient } from "#lib/chat-client/client.ts";
import type { ImportedChat, Lab } from "./lab.ts";

export interface SeedContext {
  lab: Lab;
  /** The Chat API itself. */
  client: ChatClient;
  /** The channel's time. */
  now: Date;
  /** Where the shop's pages and pictures are. */
  shopOrigin: string;
}

/** One chat to look at. Making it again changes nothing. */
export interface Seed {
  /** The chat's ID, and so the end of its link. */
  id: string;
  /** Who has to be signed in to see it; null: nobody can, it is in the team's inbox only. */
  customerId: string | null;
  title: string;
  /** What there is to see. */
  about: string;
  chat(context: Pick<SeedContext, "now" | "shopOrigin">): Omit<ImportedChat, "id">;
  /** What cannot be brought in and is done over the Chat API, each step under a key of its own. */
  complete?(context: SeedContext): Promise<void>;
}

const minute = 60_000;

/** ISO 8601, so many minutes before `now`. */
export function minutesBefore(now: Date, minutes: number): string {
  return new Date(now.getTime() - minutes * minute).toISOString();
}

export const day = 24 * 60;
