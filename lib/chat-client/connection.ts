/** One attempt: a request that was sent, and the answer as it arrives. */
import { createDeadline, type Deadline } from "./deadline.ts";
import { readRequestId } from "./error-answer.ts";
import { ChatConnectionError, type ConnectionFault, ContractError, UnusableStatusError } from "./errors.ts";
import type { ClientSettings } from "./options.ts";
import { buildRequest, type Call } from "./request.ts";

export interface Connection {
  readonly call: Call;
  readonly response: Response;
  readonly requestId: string | undefined;
  /** When the request was sent, by the settings' clock. */
  readonly sentAt: number;
  /**
   * The next bytes, undefined at the end.
   * @throws ChatConnectionError `timeout` when none come within `allowance` milliseconds, `cut` when the answer breaks
   * off; the caller's abort reason when the caller aborted.
   */
  read(allowance: number): Promise<Uint8Array | undefined>;
  /** Gives up what has not been read, unless it is being drained. */
  close(): void;
  /** Lets an answer whose rest does not matter end by itself, so that its socket can serve another request. */
  drain(): Promise<void>;
}

const drainTime = 1_000;
const drainBytes = 64 * 1024;

const systemCodePattern = /^[A-Z][A-Z0-9_]{2,63}$/;

/** `code` of what fetch threw, or of the cause that Node puts inside. */
function systemCodeOf(error: unknown): string | undefined {
  for (let depth = 0, at = error; depth < 3 && at instanceof Error; depth += 1, at = at.cause) {
    if ("code" in at && typeof at.code === "string" && systemCodePattern.test(at.code)) return at.code;
  }
  return undefined;
}

function failure(call: Call, deadline: Deadline, fault: ConnectionFault, error?: unknown): unknown {
  if (call.signal?.aborted) return call.signal.reason;
  return new ChatConnectionError(
    call.operation,
    deadline.expired ? "timeout" : fault,
    deadline.expired ? undefined : systemCodeOf(error),
  );
}

/**
 * Sends the request and waits for the answer's headers, whatever its status.
 * @throws ChatConnectionError `unreachable` or `timeout`; ContractError for a status outside HTTP's; the caller's abort
 * reason when the caller aborted.
 */
export async function connect(call: Call, settings: ClientSettings): Promise<Connection> {
  call.signal?.throwIfAborted();
  const { address, init } = await buildRequest(call, settings);
  const deadline = createDeadline(call.signal);
  const sentAt = settings.now();
  const { timeouts } = settings;
  deadline.set(call.operation === "uploadFile" ? timeouts.upload : timeouts.headers);
  try {
    const response = await settings.fetch(address, { ...init, signal: deadline.signal });
    deadline.stop();
    return createConnection({ call, response, deadline, settings, sentAt });
  } catch (error) {
    deadline.release();
    if (error instanceof UnusableStatusError && !call.signal?.aborted) {
      throw new ContractError(
        call.operation,
        "unreadable",
        `the answer has status ${error.status}`,
        undefined,
      );
    }
    throw failure(call, deadline, "unreachable", error);
  }
}

interface Answered {
  call: Call;
  response: Response;
  deadline: Deadline;
  settings: ClientSettings;
  sentAt: number;
}

function createConnection({ call, response, deadline, settings, sentAt }: Answered): Connection {
  const reader = response.body?.getReader();
  // Not every body listens to the signal of its request; cancelling ends a pending read of those too. The answer is
  // given up here, so what cancelling itself says does not matter.
  deadline.signal.addEventListener("abort", () => void reader?.cancel().catch(() => undefined), {
    once: true,
  });

  async function read(allowance: number): Promise<Uint8Array | undefined> {
    if (reader === undefined) {
      deadline.release();
      return undefined;
    }
    // Bytes that are always ready would never give the timer its turn.
    if (allowance <= 0) throw new ChatConnectionError(call.operation, "timeout");
    deadline.set(allowance);
    const piece = await reader.read().catch((error: unknown) => {
      throw failure(call, deadline, "cut", error);
    });
    deadline.stop();
    if (deadline.signal.aborted) throw failure(call, deadline, "cut");
    if (piece.done) deadline.release();
    return piece.value;
  }

  /** Set by `drain`, which then closes by itself. */
  let draining = false;

  function close(): void {
    if (draining) return;
    deadline.abort();
    deadline.release();
  }

  async function drain(): Promise<void> {
    draining = true;
    const until = settings.now() + drainTime;
    try {
      for (let left = drainBytes; left > 0; ) {
        const piece = await read(until - settings.now());
        if (piece === undefined) return;
        left -= piece.byteLength;
      }
    } catch {
      // The outcome was known before; how the rest ends changes nothing.
    } finally {
      draining = false;
      close();
    }
  }

  return { call, response, requestId: readRequestId(response.headers), sentAt, read, close, drain };
}
