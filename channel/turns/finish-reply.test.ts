import { expect, test } from "vitest";
import { loadCollection } from "../collections/collection-store.ts";
import { claimed } from "../testing/claimed-turn.ts";
import { testChannel } from "../testing/test-channel.ts";
import { ReplyDraft } from "./agent-reply.ts";
import { finishReply } from "./finish-reply.ts";
import { loadTurn, nextAttempt } from "./turn-store.ts";

test("opens no form for a reply whose attempt has lost the turn", async () => {
  const { database, ...channel } = await testChannel();
  const { chatId, attempt } = await claimed({ database, ...channel });
  const loaded = await loadTurn(database.sql, attempt);
  if (loaded === undefined) throw new Error("the turn is not running");
  await nextAttempt(database.sql, attempt, database.owner);
  const draft = new ReplyDraft();
  draft.take({ type: "text", text: "Please fill in this form." });
  draft.take({
    type: "request_form",
    form: { collectionId: "returns", purpose: "To return it.", fields: [], canSkip: true, canCancel: true },
  });
  const before = await loadCollection(database.sql, chatId);
  const deps = { database, settings: { current: () => ({ hours: null }) }, clock: { now: () => new Date() } };
  expect(await finishReply(deps, loaded, attempt, draft)).toBeUndefined();
  expect(await loadCollection(database.sql, chatId)).toEqual(before);
});
