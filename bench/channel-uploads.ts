/**
 * `npm run bench -- channel-uploads`: the memory that a channel on PGlite uses for forty concurrent uploads
 * of 4 MiB. Fails if the process grows by 100 MiB or more.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { newChannelFolder } from "../testing/processes/channel-folder.ts";
import { startChannelProgram } from "../testing/processes/channel-program.ts";
import { testKeys } from "../testing/test-keys.ts";

const uploads = 40;
const fileBytes = 4 * 1024 * 1024;
const allowedGrowth = 100;
const { channelKey, chatKey } = testKeys;

const folder = await newChannelFolder();
const { program: channel, url } = await startChannelProgram(testKeys, { folder, stdout: "ignore" });
try {
  const base = `${url}/v1/channels/${channelKey}`;
  const { pid } = channel;
  // The first files make the engine allocate its buffers once.
  const warm = await createChat(base);
  for (let n = 0; n < 3; n += 1) await upload(base, warm);

  const chats = await Promise.all(Array.from({ length: 4 }, () => createChat(base)));
  const before = await residentMebibytes(pid);
  let peak = before;
  const watch = setInterval(async () => {
    peak = Math.max(peak, await residentMebibytes(pid));
  }, 10);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: uploads }, (_, n) => upload(base, chats[n % chats.length] ?? warm)));
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

async function createChat(base: string): Promise<string> {
  const response = await fetch(`${base}/chats`, {
    method: "POST",
    headers: { ...headers(), "content-type": "application/json" },
    body: "{}",
  });
  const answer = (await response.json()) as { item: { id: string } };
  return answer.item.id;
}

async function upload(base: string, chatId: string): Promise<void> {
  const bytes = randomBytes(fileBytes);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const form = new FormData();
  form.append("file", new File([bytes], "a.png", { type: "image/png" }));
  const response = await fetch(`${base}/chats/${chatId}/files`, {
    method: "POST",
    headers: headers(),
    body: form,
  });
  if (response.status !== 201)
    throw new Error(`The upload answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

function headers() {
  return { authorization: `Bearer ${chatKey}`, "idempotency-key": randomUUID() };
}

async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
