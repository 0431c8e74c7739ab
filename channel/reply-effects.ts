/** What replies bring about: an opened form, an offer to pass the chat to the team. */
import { openForm, readCollection } from "./collections/collection-state.ts";
import { loadCollection, saveCollection } from "./collections/collection-store.ts";
import { handoffOffers } from "./db/schema.ts";
import { availabilityAt } from "./handoffs/hours.ts";
import { newId } from "./ids.ts";
import type { SettingsStore } from "./settings/settings.ts";
import type { ReplyEffects } from "./turns/reply-effects.ts";

export function createReplyEffects(settings: SettingsStore): ReplyEffects {
  return {
    async readCollection(sql, chatId) {
      return readCollection(await loadCollection(sql, chatId));
    },
    async openForm(tx, chat, form) {
      const state = openForm(await loadCollection(tx, chat.id), form, { requestId: newId("form") });
      await saveCollection(tx, chat.id, state);
      return readCollection(state);
    },
    async offerHandoff(tx, chat, { messageId, details }, now) {
      const { requiresEmail, nextAvailableAt, timezone } = availabilityAt(settings.current.hours, now);
      const confirmationId = newId("offer");
      await tx.insert(handoffOffers).values({
        confirmationId,
        chatId: chat.id,
        messageId,
        requiresEmail,
        nextAvailableAt,
        timezone,
        details: details ?? null,
        createdAt: now,
      });
      return {
        confirmationId,
        requiresEmail,
        nextAvailableAt: nextAvailableAt?.toISOString() ?? null,
        timezone,
      };
    },
  };
}
