/** A chat that is one file and less than 1 MiB below its limits. */

import { userIdOfCustomer } from "#lib/bff/session/customer.ts";
import { limits } from "#lib/chat-api/limits.ts";
import { drawPicture } from "./drawn-picture.ts";
import { minutesBefore, type Seed, type SeedContext } from "./seed.ts";

const id = "demo-nearly-full";
const fileCount = limits.filesPerChat - 1;

export const nearlyFull: Seed = {
  id,
  customerId: "lukas-brandt",
  title: "39 files, 79 MiB",
  about:
    "One more small file fits, and then none; a photograph of 2 MB does not. A teammate asked for pictures of the damage.",
  chat: ({ now }) => ({
    userId: userIdOfCustomer("lukas-brandt"),
    createdAt: minutesBefore(now, 30),
    // A teammate has the chat, so that the agent does not answer each of the ten messages.
    mode: "teammate",
    teammate: "Zoë",
    handoff: { status: "claimed", requestedAt: minutesBefore(now, 28) },
    messages: [
      { role: "visitor", text: "The parcel was torn open.", createdAt: minutesBefore(now, 30) },
      { role: "system", text: "Zoë has joined.", createdAt: minutesBefore(now, 27) },
      {
        role: "teammate",
        author: "Zoë",
        text: "I am sorry! Please send pictures of everything, from all sides.",
        createdAt: minutesBefore(now, 26),
      },
    ],
  }),
  complete: sendPictures,
};

async function sendPictures({ client }: SeedContext): Promise<void> {
  const sent = await countFiles(client);
  for (let first = 0; first < fileCount; first += limits.filesPerMessage) {
    const numbers = Array.from(
      { length: Math.min(limits.filesPerMessage, fileCount - first) },
      (_, index) => first + index + 1,
    );
    // An earlier run sent these files. An interrupted run continues under the same keys.
    if (first + numbers.length <= sent) continue;
    const fileIds: string[] = [];
    for (const number of numbers) fileIds.push(await upload(client, number));
    await client.sendMessage(
      id,
      { text: `Pictures ${numbers[0]} to ${numbers.at(-1)}`, fileIds },
      { idempotencyKey: `${id}:message:${first}` },
    );
  }
}

async function upload(client: SeedContext["client"], number: number): Promise<string> {
  const { item } = await client.uploadFile(
    id,
    {
      bytes: new Blob([await drawPicture(number)], { type: "image/png" }),
      filename: `parcel-${String(number).padStart(2, "0")}.png`,
      mediaType: "image/png",
    },
    { idempotencyKey: `${id}:file:${number}` },
  );
  return item.id;
}

async function countFiles(client: SeedContext["client"]): Promise<number> {
  const { items } = await client.listMessages(id, { limit: limits.messagesPerPage.max });
  return items.reduce((count, { files }) => count + files.length, 0);
}
