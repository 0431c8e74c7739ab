/** Would the Chat API serve a customer now? One request that changes nothing and costs no chat. */
import { createBff } from "#lib/bff/bff.ts";
import type { Config } from "#lib/bff/env.ts";
import { createLog, secretsOf } from "#lib/bff/log.ts";

/** What to do about it, or undefined when all is well. Holds no secret. */
export async function chatApiRemedy(config: Config): Promise<string | undefined> {
  // What the BFF writes to its log about the Chat API is the best that one can say about it.
  const remedies: string[] = [];
  const log = createLog({
    level: "warn",
    secrets: secretsOf(config),
    destination: {
      write(line) {
        const { msg, reason, upstreamRequestId } = JSON.parse(line);
        const request = upstreamRequestId === undefined ? undefined : `Request ID: ${upstreamRequestId}`;
        remedies.push([reason, msg, request].filter((part) => part !== undefined).join("\n      "));
      },
    },
  });
  const bff = createBff({ ...config, redisUrl: undefined }, { log });
  const serves = await bff.readiness.check();
  await bff.stop();
  return serves ? undefined : (remedies.at(-1) ?? "It does not answer as it should.");
}
