/** Checks whether the Chat API serves customers, by a request that changes nothing and costs no chat. */

import type { Config } from "../../lib/bff/configuration/env.ts";
import { createBff } from "../../lib/bff/http/bff.ts";
import { createLog, secretsOf } from "../../lib/bff/observability/log.ts";

/** The remedy without secrets; undefined when the Chat API serves customers. */
export async function chatApiRemedy(config: Config): Promise<string | undefined> {
  // The BFF's own log lines about the Chat API contain the best remedies.
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
