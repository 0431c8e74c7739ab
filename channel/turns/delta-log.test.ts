/** The delta log writes text for other processes. `deltas.test.ts` has turns that another attempt owns. */
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { turnDeltas } from "../db/schema.ts";
import { claimed } from "../testing/claimed-turn.ts";
import { testChannel } from "../testing/test-channel.ts";
import { createDeltaLog } from "./delta-log.ts";

test("batches text that arrives together under its attempt", async () => {
  const channel = await testChannel();
  const { database } = channel;
  const { attempt } = await claimed(channel);
  const never = () => expect.fail("the turn is not lost");
  const log = createDeltaLog({ database, report: never }, attempt, never);
  onTestFinished(log.stop);
  log.follow();
  const written = async () => {
    const ofTurn = eq(turnDeltas.operationId, attempt.operationId);
    const rows = await database.sql.select().from(turnDeltas).where(ofTurn).orderBy(turnDeltas.sequence);
    return rows.map(({ fence, text }) => `${fence}: ${text}`);
  };
  log.append("One ");
  log.append("two ");
  await expect.poll(written).toEqual(["1: One two "]);
  log.append("three.");
  await expect.poll(written).toEqual(["1: One two ", "1: three."]);
});
