/** What an answer says before its body is looked at, and bodies that are JSON. */
import type { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Connection } from "./connection.ts";
import { toChatApiError } from "./error-answer.ts";
import { ChatConnectionError, ContractError, type ContractFault } from "./errors.ts";
import type { ClientSettings } from "./options.ts";
import type { Reading } from "./parser.ts";

export function contractError(connection: Connection, fault: ContractFault, what: string): ContractError {
  return new ContractError(connection.call.operation, fault, what, connection.requestId);
}

/** The media type without its parameters, in lower case. */
export function mediaTypeOf(response: Response): string {
  return (response.headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
}

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Returns when the answer is a success.
 * @throws ChatApiError for an error answer, ContractError for a redirect or a status that no operation has.
 */
export async function requireSuccess(connection: Connection, settings: ClientSettings): Promise<void> {
  const { status, type } = connection.response;
  if (status === 200 || status === 201) return;
  if (type === "opaqueredirect" || redirects.has(status)) {
    throw contractError(connection, "redirect", "the answer is a redirect");
  }
  if (status >= 400) throw await readError(connection, settings);
  throw contractError(connection, "unreadable", `the answer has status ${status}`);
}

async function readError(connection: Connection, settings: ClientSettings): Promise<ChatApiError> {
  let body: unknown;
  try {
    body = await readJson(connection, settings);
  } catch (error) {
    // A status alone is an answer too: proxies explain themselves in HTML, or not at all.
    if (!(error instanceof ContractError || error instanceof ChatConnectionError)) throw error;
  }
  const { status, headers } = connection.response;
  return toChatApiError(body, { operation: connection.call.operation, status, headers });
}

/** @throws ContractError when the body is not JSON or too large, ChatConnectionError when it does not arrive whole. */
async function readJson(connection: Connection, settings: ClientSettings): Promise<unknown> {
  if (mediaTypeOf(connection.response) !== "application/json") {
    throw contractError(connection, "unreadable", "the answer is not JSON");
  }
  const text = await readText(connection, settings);
  try {
    return JSON.parse(text);
  } catch {
    // The engine's error quotes the text.
    throw contractError(connection, "unreadable", "the answer's JSON cannot be read");
  }
}

async function readText(connection: Connection, settings: ClientSettings): Promise<string> {
  const { timeouts } = settings;
  const allowance = connection.call.operation === "uploadFile" ? timeouts.upload : timeouts.json;
  const until = connection.sentAt + allowance;
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  while (true) {
    const piece = await connection.read(until - settings.now());
    if (piece === undefined) return parts.join("") + decoder.decode();
    bytes += piece.byteLength;
    if (bytes > settings.limits.jsonBytes) {
      throw contractError(connection, "too_large", "the answer is larger than the client's limit");
    }
    parts.push(decoder.decode(piece, { stream: true }));
  }
}

/**
 * The body of a success, as `parse` reads it.
 * @throws ContractError, or ChatConnectionError when it does not arrive whole.
 */
export async function readAnswer<T>(
  connection: Connection,
  settings: ClientSettings,
  parse: (body: unknown) => Reading<T>,
): Promise<T> {
  const reading = parse(await readJson(connection, settings));
  if ("value" in reading) return reading.value;
  throw contractError(connection, "shape", `the answer departs from the contract at ${reading.fault}`);
}
