import type { OperationName } from "../../chat-api/operations.ts";
import type { Fetch } from "../../chat-client/connection.ts";
import { toChatApiError } from "../../chat-client/error-response.ts";
import { ChatConnectionError } from "../../chat-client/errors.ts";

/** Every request of the chat carries them: another site's form cannot set them. */
export const clientHeaders = { "X-Chat-Client": "1" } as const;

export interface OwnRequest extends Omit<RequestInit, "headers"> {
  headers?: Readonly<Record<string, string>>;
  /** The operation that the request is most like, for a refusal without a code. */
  like: OperationName;
}

/** Sends a request for which the client has no operation. Rejects as the client does. */
export async function request(
  send: Fetch,
  address: string,
  { headers, like, ...init }: OwnRequest,
): Promise<Response> {
  const sent = send(address, { ...init, headers: { ...clientHeaders, ...headers } });
  const response = await sent.catch((error: unknown) => {
    // `fetch` rejects with a TypeError when it gets no response.
    throw error instanceof TypeError ? new ChatConnectionError(like, "unreachable") : error;
  });
  if (response.ok) return response;
  // Without a readable body, the status says what was refused.
  const body = await response.json().catch(() => null);
  throw toChatApiError(body, { operation: like, status: response.status, headers: response.headers });
}
