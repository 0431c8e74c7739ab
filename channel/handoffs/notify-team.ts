/**
 * Delivers handoff notices to the team. Returns only once delivery is certain: the operating system has the
 * whole line, or the receiver has answered 2xx.
 */
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { waits } from "../channel-limits.ts";
import { errorCode } from "../error-code.ts";
import type { NotifyTeam } from "./outbox.ts";

/** Writes some of `bytes` and returns how many, like `writeSync`. @throws while nothing can be written */
export type WriteBytes = (bytes: Uint8Array) => number;

const toStandardOutput: WriteBytes = (bytes) => writeSync(process.stdout.fd, bytes);

/**
 * Writes one JSON line per notice, whatever `LOG_LEVEL` says. Bypasses the logger: a line in its buffer would
 * count as delivered even if a full or closed pipe never took it.
 */
export function printNotice(write: WriteBytes = toStandardOutput): NotifyTeam {
  return async ({ id, kind, chatId }) => {
    const line = { level: 30, time: new Date().toISOString(), notice: id, kind, chatId, msg: "team" };
    let rest = Buffer.from(`${JSON.stringify(line)}\n`);
    const deadline = Date.now() + waits.notice;
    while (rest.length > 0) {
      try {
        rest = rest.subarray(write(rest));
      } catch (error) {
        // A full pipe means that its reader is slow. Other errors do not go away by waiting.
        if (errorCode(error) !== "EAGAIN" || Date.now() >= deadline) throw error;
        await pause(waits.fullPipe);
      }
    }
  };
}

export interface NoticeReceiver {
  url: string;
  /** `whsec_` and the key in base64. */
  secret: string;
}

/**
 * Posts the notice as a Standard Webhook (github.com/standard-webhooks/standard-webhooks): the receiver
 * checks `webhook-signature` and drops duplicates by `webhook-id`.
 */
export function postNotice({ url, secret }: NoticeReceiver): NotifyTeam {
  const webhook = new Webhook(secret);
  return async ({ id, kind, payload, createdAt }) => {
    const body = JSON.stringify({ type: kind, timestamp: createdAt.toISOString(), data: payload });
    const sentAt = new Date();
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
        "webhook-signature": webhook.sign(id, sentAt, body),
      },
      body,
      // A redirect could send a customer's email address to another host.
      redirect: "manual",
      signal: AbortSignal.timeout(waits.notice),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The receiver of notices answered ${response.status}.`);
  };
}
