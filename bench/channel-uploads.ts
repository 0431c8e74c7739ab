/**
 * `npm run bench -- channel-uploads`: the memory that a channel on PGlite uses for forty concurrent uploads
 * of 4 MiB. Fails if the process grows by 100 MiB or more.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { channelClient } from "../testing/lab/channel-client.ts";
import { newChannelFolder } from "../testing/processes/channel-folder.ts";
import { startChannelProgram } from "../testing/processes/channel-program.ts";
import { testKeys } from "../testing/test-keys.ts";
import { memoryOf } from "./support/machine.ts";

const uploads = 40;
const fileBytes = 4 * 1024 * 1024;
const allowedGrowth = 100;

const folder = await newChannelFolder();
const { program: channel, url } = await startChannelProgram(testKeys, { folder, stdout: "ignore" });
const client = channelClient({ channelUrl: url, ...testKeys });
try {
  // Warm-up: PGlite allocates its buffers with the first files and keeps them.
  const warm = await createChat();
  for (let n = 0; n < 3; n += 1) await upload(warm);

  const chats = await Promise.all(Array.from({ length: 4 }, createChat));
  const before = resident();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, resident());
  }, 10);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: uploads }, (_, n) => upload(chats[n % chats.length] ?? warm)));
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(watch);
  const growth = peak - before;
  console.log(
    `${uploads} uploads of 4 MiB at once: ${seconds.toFixed(1)} s, process ${before.toFixed(0)} MiB before, ` +
      `${peak.toFixed(0)} MiB at most: ${growth.toFixed(0)} MiB more`,
  );
  if (growth >= allowedGrowth) process.exitCode = 1;
} finally {
  await channel.stop("SIGKILL");
  await rm(folder, { recursive: true, force: true });
}

async function createChat(): Promise<string> {
  return (await client.createChat({}, { idempotencyKey: randomUUID() })).item.id;
}

async function upload(chatId: string): Promise<void> {
  const bytes = randomBytes(fileBytes);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const file = { bytes: new Blob([bytes]), filename: "a.png", mediaType: "image/png" } as const;
  await client.uploadFile(chatId, file, { idempotencyKey: randomUUID() });
}

/** The channel's resident memory in MiB. */
function resident(): number {
  return memoryOf(channel.pid).now / 1024;
}
