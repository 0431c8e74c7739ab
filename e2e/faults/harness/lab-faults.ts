/** Faults that the channel's lab causes in operations: errors, dropped responses, stalls and delays. */
import { testKeys } from "../../../testing/test-keys.ts";
import type { Random } from "../../simulation/random.ts";
import type { Layout } from "./layout.ts";

const operations = [
  "createChat",
  "getChat",
  "sendMessage",
  "sendMessage",
  "sendMessage",
  "sendMessage",
  "listMessages",
  "uploadFile",
  "getCollection",
  "submitCollection",
  "handoff",
] as const;

function labFault(random: Random): object {
  const operation = random.pick(operations);
  const streams = operation === "sendMessage" && random.chance(0.6);
  const at = {
    ...(streams ? { afterDeltas: random.between(0, 40) } : { at: random.pick(["request", "response"]) }),
  };
  const takesUnavailable = ["sendMessage", "submitCollection", "handoff"].includes(operation);
  return {
    operation,
    ...random.weighted<object>([
      [4, { fault: "drop", ...at }],
      [2, { fault: "stall", milliseconds: random.between(100, 3_000), ...at }],
      [1, { fault: "delay", milliseconds: random.between(50, 1_500) }],
      [2, { fault: "error", code: "internal_error", ...at }],
      [takesUnavailable ? 2 : 0, { fault: "error", code: "service_unavailable", milliseconds: 1_000, ...at }],
      [streams ? 0 : 1, { fault: "error", code: "rate_limited", milliseconds: 1_000, at: "request" }],
    ]),
  };
}

export interface LabFaultOptions {
  layout: Layout;
  random: Random;
  until: AbortSignal;
  interval: readonly [number, number];
}

/** Undefined when this channel did not answer, for example during a restart. */
function askLab(url: string, path: string, init: RequestInit = {}): Promise<Response | undefined> {
  return fetch(url + path, {
    ...init,
    headers: { authorization: `Bearer ${testKeys.teamKey}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
}

/** Resolves with the number of faults that the lab accepted. */
export async function causeLabFaults({ layout, random, until, interval }: LabFaultOptions): Promise<number> {
  let posted = 0;
  while (!until.aborted) {
    await new Promise((resolve) => setTimeout(resolve, random.between(...interval)));
    const response = await askLab(layout.labUrl, "/lab/faults", {
      method: "POST",
      body: JSON.stringify(labFault(random)),
    });
    if (response !== undefined && !response.ok && response.status < 500)
      throw new Error(`the lab refused a fault: ${await response.text().catch(() => "")}`);
    if (response?.ok) posted += 1;
    await response?.body?.cancel().catch(() => undefined);
  }
  return posted;
}

/** Removes the faults that no operation has met, and returns their number. */
export async function endLabFaults({ labUrl }: Layout): Promise<number> {
  for (;;) {
    const response = await askLab(labUrl, "/lab");
    if (!response?.ok) continue;
    const { item } = (await response.json()) as { item: { faults: unknown[] } };
    const ended = await askLab(labUrl, "/lab/faults", { method: "DELETE" });
    if (ended?.ok) return item.faults.length;
  }
}
