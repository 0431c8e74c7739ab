import { everyCard } from "./cards-chat.ts";
import { longHistory } from "./long-chat.ts";
import type { Seed, SeedContext } from "./seed.ts";
import {
  answersKept,
  failedHandoff,
  formInProgress,
  formRefused,
  fromElsewhere,
  ofNobody,
  resolved,
  waiting,
  withTeam,
} from "./written-chats.ts";

export const seeds: readonly Seed[] = [
  everyCard,
  withTeam,
  resolved,
  formInProgress,
  formRefused,
  answersKept,
  failedHandoff,
  waiting,
  longHistory,
  fromElsewhere,
  ofNobody,
];

/** Creates the chat unless it exists. */
export async function plant(seed: Seed, context: SeedContext): Promise<void> {
  await context.lab.importChat({ id: seed.id, ...seed.chat(context) });
}
