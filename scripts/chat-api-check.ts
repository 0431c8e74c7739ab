/** Would the Chat API serve a customer now? One request that changes nothing and costs no chat. */
import { createBff } from "#lib/bff/bff.ts";
import type { Config } from "#lib/bff/env.ts";
import { createLog } from "#lib/bff/log.ts";

const passing = "It answers, but with an error that should pass by itself. Try again in a minute.";
const otherAddress =
  "CHAT_BASE_URL must be the address of the Chat API, as its provider gives it, without /v1; a proxy on the way must let it through.";

/** What to do about it, or undefined when all is well. Holds no secret. */
export async function chatApiRemedy(config: Config): Promise<string | undefined> {
  // What the BFF writes to its log about the Chat API is the best that one can say about it.
  const remedies: string[] = [];
  const log = createLog({
    level: "warn",
    secrets: [config.upstream.chatKey, ...config.sessionSecrets],
    destination: {
      write(line) {
        const { msg, reason } = JSON.parse(line);
        remedies.push(typeof msg === "string" ? msg : `${String(reason ?? line)}\n      ${otherAddress}`);
      },
    },
  });
  const bff = createBff({ ...config, redisUrl: undefined }, { log });
  const serves = await bff.readiness.check();
  await bff.stop();
  return serves ? undefined : (remedies.at(-1) ?? passing);
}
