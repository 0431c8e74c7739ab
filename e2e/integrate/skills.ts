/** The commands of the guides for coding agents (skills/). */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../processes/free-port.ts";
import { root } from "../../processes/root.ts";
import type { HostApp } from "./host-app.ts";

const fence = /^ *```sh\n(?<text>[\s\S]*?)^ *```$/gm;

export function skillCommands(name: string): string[] {
  const guide = readFileSync(join(root, "skills", name, "SKILL.md"), "utf8");
  return Array.from(guide.matchAll(fence), ({ groups }) => groups?.["text"] ?? "");
}

/** Installs and starts the guide's channel, scripts its reply, and reads it as the app would. */
export async function testWithChannel(app: HostApp): Promise<void> {
  // Another channel may listen on the guide's port.
  const port = String(await freePort());
  const commands = skillCommands("test-with-channel").map((text) => text.replaceAll("4815", port));
  const [install = "", start = "", script = ""] = commands;
  const url = `http://127.0.0.1:${port}`;
  const [, channelKey, chatKey] = /CHAT_CHANNEL_KEY=(\S+) CHAT_KEY=(\S+)/.exec(start) ?? [];
  await app.run(`npm init -y\n${install}`, { REPOSITORY: root });
  await app.start(`env ${start.trim()}`, {}, `${url}/healthz`);
  execFileSync("bash", ["-euo", "pipefail", "-c", script], { stdio: "inherit" });
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/v1/channels/${channelKey}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${chatKey}`,
        "content-type": "application/json",
        "idempotency-key": crypto.randomUUID(),
      },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const { item: chat } = await post("/chats", {});
  const { item: turn } = await post(`/chats/${chat.id}/messages`, { text: "What does it cost?" });
  const [, scripted] = /"text":"([^"]+)"/.exec(script) ?? [];
  if (turn.reply.text !== scripted) throw new Error(`The reply is not the scripted one: ${turn.reply.text}`);
  app.stop();
}
