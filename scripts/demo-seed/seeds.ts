import { everyCard } from "./cards-chat.ts";
import { nearlyFull } from "./files-chat.ts";
import { answersKept, formInProgress, formRefused } from "./form-chats.ts";
import { fromElsewhere, longHistory, ofNobody } from "./history-chats.ts";
import type { Seed, SeedContext } from "./seed.ts";
import { failedHandoff, resolved, waiting, withTeam } from "./team-chats.ts";

export const seeds: readonly Seed[] = [
  everyCard,
  withTeam,
  resolved,
  formInProgress,
  formRefused,
  answersKept,
  failedHandoff,
  nearlyFull,
  waiting,
  longHistory,
  fromElsewhere,
  ofNobody,
];

/** Creates the chat unless it exists. */
export async function plant(seed: Seed, context: SeedContext): Promise<void> {
  await context.lab.importChat({ id: seed.id, ...seed.chat(context) });
  await seed.complete?.(context);
}
