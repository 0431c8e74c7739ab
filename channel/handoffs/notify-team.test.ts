import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { serve } from "../../testing/unit/serve.ts";
import { postNotice, printNotice } from "./notify-team.ts";

const notice = {
  id: "op_0123456789",
  chatId: "chat_0123456789",
  kind: "handoff_requested",
  payload: { chatId: "chat_0123456789", email: "ana@example.com" },
  createdAt: new Date("2026-11-24T10:00:00.000Z"),
};
const secret = `whsec_${Buffer.from("a secret of the tests, 32 bytes.").toString("base64")}`;

async function receiver(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await serve(createServer(answer))}/notices`;
}

test("prints one whole line to a pipe that is full or takes a few bytes at a time", async () => {
  let printed = "";
  let isFull = false;
  await printNotice((bytes) => {
    isFull = !isFull;
    if (isFull) throw Object.assign(new Error("full"), { code: "EAGAIN" });
    printed += Buffer.from(bytes.subarray(0, 7)).toString();
    return Math.min(7, bytes.length);
  })(notice);
  expect(printed.endsWith("\n")).toBe(true);
  expect(JSON.parse(printed)).toMatchObject({ notice: notice.id, kind: notice.kind, chatId: notice.chatId });
});

test("rejects if the pipe is closed", async () => {
  const module = new URL("./notify-team.ts", import.meta.url).href;
  const script = `
    process.stdin.once("end", async () => {
      const { printNotice } = await import(${JSON.stringify(module)});
      await printNotice()({ id: "op", kind: "k", chatId: "c", payload: {}, createdAt: new Date() })
        .then(() => console.error("told"), (error) => console.error(error.code));
    }).resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "pipe" });
  child.stdout.destroy();
  await once(child.stdout, "close");
  child.stdin.end();
  expect(await text(child.stderr)).toBe("EPIPE\n");
});

test("posts a signed notice with a stable ID", async () => {
  let received: unknown;
  const url = await receiver(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, `${value}`]),
    );
    received = new Webhook(secret).verify(await text(request), headers);
    response.writeHead(headers["webhook-id"] === notice.id ? 204 : 400).end();
  });
  await postNotice({ url, secret })(notice);
  expect(received).toEqual({
    type: "handoff_requested",
    timestamp: "2026-11-24T10:00:00.000Z",
    data: notice.payload,
  });
});

test.each([302, 400, 500])("rejects if the receiver answers %i", async (status) => {
  const url = await receiver((_, response) => response.writeHead(status, { location: "/elsewhere" }).end());
  await expect(postNotice({ url, secret })(notice)).rejects.toThrow(`${status}`);
});
