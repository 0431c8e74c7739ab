import { freePort } from "./free-port.ts";
import { Program, type ProgramOptions } from "./program.ts";

export interface ChannelKeys {
  channelKey: string;
  chatKey: string;
  teamKey: string;
}

export interface ChannelProgramOptions extends Partial<Pick<ProgramOptions, "stdout" | "onEnd">> {
  /** The folder for its data. */
  folder: string;
  port?: number | undefined;
  env?: Record<string, string>;
}

/** Starts a channel alone, by default on a free port. */
export async function startChannelProgram(
  { channelKey, chatKey, teamKey }: ChannelKeys,
  { folder, env, port: wantedPort, ...options }: ChannelProgramOptions,
): Promise<{ program: Program; url: string }> {
  const port = wantedPort ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const program = await Program.start({
    ...options,
    name: "the channel",
    healthUrl: `${url}/healthz`,
    args: ["channel/main.ts"],
    env: {
      NODE_ENV: "test",
      CHANNEL_PORT: String(port),
      CHANNEL_DATA_DIR: folder,
      CHANNEL_TEAM_KEY: teamKey,
      CHAT_CHANNEL_KEY: channelKey,
      CHAT_KEY: chatKey,
      ...env,
    },
  });
  return { program, url };
}
