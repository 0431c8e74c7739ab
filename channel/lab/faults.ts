/** The lab's faults, and how they meet operations: errors, dropped responses, stalls and delays. */
import { setTimeout as pause } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { bodyOfError, ChatApiError } from "#lib/chat-api/errors.ts";
import type { OperationName } from "#lib/chat-api/operations.ts";
import { encodeTurnEvent } from "#lib/chat-api/turn-events.ts";
import type { AroundOperation } from "../api/route.ts";
import type { ChannelContext } from "../http/app.ts";
import { readBytes } from "../http/request-body.ts";
import type { FaultBody } from "./lab-requests.ts";

const drainedBytes = 8 * 1024 * 1024;
/** Milliseconds in which bytes already written leave the process: an immediate error would discard them. */
const departure = 25;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An error or delay precedes the operation by default; a drop or stall affects its response. */
const defaultAt = { error: "request", delay: "request", drop: "response", stall: "response" } as const;

/** A rule for the next `remaining` matching operations. */
export interface Fault extends Omit<FaultBody, "times"> {
  id: string;
  at: "request" | "response";
  remaining: number;
}

export type Faults = ReturnType<typeof createFaults>;

/** The channel's pending faults, oldest first. */
export function createFaults() {
  let pending: Fault[] = [];
  let added = 0;
  return {
    list: (): readonly Fault[] => pending,
    add({ times, ...rule }: FaultBody): Fault {
      added += 1;
      const at = rule.at ?? (rule.afterDeltas === undefined ? defaultAt[rule.fault] : "response");
      const fault = { id: String(added), ...rule, at, remaining: times };
      pending.push(fault);
      return fault;
    },
    /** Takes the oldest fault that matches this operation, which counts as one occurrence. */
    take(operation: OperationName, chatId: string): Fault | undefined {
      const taken = pending.find(
        (fault) => fault.operation === operation && (fault.chatId ?? chatId) === chatId,
      );
      if (taken === undefined) return undefined;
      taken.remaining -= 1;
      pending = pending.filter(({ remaining }) => remaining > 0);
      return taken;
    },
    clear() {
      pending = [];
    },
  };
}

export function causeFaults(faults: Faults): AroundOperation {
  return async (operation, context, run) => {
    const fault = faults.take(operation, context.get("chatId") ?? "");
    if (fault === undefined) return run();
    context.set("fault", fault.fault);
    if (fault.at === "request") {
      // Reads the body first, because a client that is still sending would not notice the fault.
      if (fault.fault !== "delay" && context.req.raw.body !== null) {
        const body = await readBytes(context.req.raw, drainedBytes).catch(onlyTooLarge);
        if (body !== undefined && operation !== "uploadFile") context.set("requestBody", body);
      }
      return applyFault(fault, context, run);
    }
    const response = await run();
    if (!isTurnStream(response)) return applyFault(fault, context, async () => response);
    return new Response(response.body?.pipeThrough(streamFault(fault, context)), response);
  };
}

/** Applies the fault; `run` produces the real response for faults that need one. */
async function applyFault(
  fault: Fault,
  context: ChannelContext,
  run: () => Promise<Response>,
): Promise<Response> {
  switch (fault.fault) {
    case "error":
      throw errorOf(fault);
    case "delay":
    case "stall":
      await wait(fault, context);
      return fault.milliseconds === undefined ? closeConnection(context) : run();
    case "drop":
      return closeConnection(context);
    default:
      return fault.fault satisfies never;
  }
}

/** Passes on `afterDeltas` deltas, then applies the fault at the next event. */
function streamFault(fault: Fault, context: ChannelContext): TransformStream<Uint8Array, Uint8Array> {
  let deltasLeft = fault.afterDeltas ?? 0;
  let hasHappened = false;
  return new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      // One event per chunk (`encode-turn-stream.ts`). With `afterDeltas`, `start` passes first; without it,
      // the fault replaces `start`.
      const name = /^event: (\w+)/m.exec(decoder.decode(chunk))?.[1];
      const goesFirst =
        (name === "start" && fault.afterDeltas !== undefined) || (name === "delta" && deltasLeft > 0);
      if (hasHappened || name === undefined || goesFirst) {
        if (name === "delta") deltasLeft -= 1;
        controller.enqueue(chunk);
        return;
      }
      hasHappened = true;
      if (fault.fault === "error") {
        const { error } = bodyOfError(errorOf(fault), context.get("requestId"));
        controller.enqueue(encoder.encode(encodeTurnEvent({ type: "error", error })));
        controller.terminate();
        return;
      }
      await (fault.fault === "drop" ? pause(departure) : wait(fault, context));
      if (fault.fault !== "drop" && fault.milliseconds !== undefined) controller.enqueue(chunk);
      // The adapter would print an error of the stream as a fault of the channel.
      else if (!disconnect(context)) controller.error(new Dropped());
    },
  });
}

/** The error of a response that the lab cut off, as opposed to a fault of the channel. */
class Dropped extends Error {
  override name = "Dropped";
}

/** Waits for the fault's duration or, if it has none, until the client disconnects. */
async function wait(fault: Fault, context: ChannelContext): Promise<void> {
  const { signal } = context.req.raw;
  if (fault.milliseconds !== undefined) return pause(fault.milliseconds);
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Closes the connection without a response. */
function closeConnection(context: ChannelContext): Response {
  if (disconnect(context)) return RESPONSE_ALREADY_SENT;
  const cut = new ReadableStream({ start: (controller) => controller.error(new Dropped()) });
  return new Response(cut, { status: 200 });
}

/** Closes the client's connection; returns false for a request within this process, which has none. */
function disconnect({ env: { outgoing } }: ChannelContext): boolean {
  outgoing?.destroy();
  return outgoing !== undefined;
}

function errorOf({ code, milliseconds }: Fault): ChatApiError {
  return new ChatApiError(
    code ?? "internal_error",
    milliseconds === undefined ? {} : { retryAfterSeconds: Math.ceil(milliseconds / 1000) },
  );
}

function isTurnStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

function onlyTooLarge(error: unknown): undefined {
  if (!(error instanceof ChatApiError)) throw error;
}
