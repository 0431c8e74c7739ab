/** The console's way to a channel: its `/team` and `/lab`, by one `fetch`. */
import { ChatApiError, isErrorCode } from "#lib/chat-api/errors.ts";

/** The connection: within the process or over the network. */
export type Fetch = (request: Request) => Promise<Response>;

export type ChannelClient = ReturnType<typeof channelClient>;

export function channelClient(fetch: Fetch, url: string, teamKey: string) {
  // Paths follow, which begin with a slash.
  const base = url.replace(/\/+$/, "");

  /** @throws ChatApiError what the channel answers */
  async function request(path: string, init: { method?: string; body?: string; headers?: object } = {}) {
    const headers = {
      authorization: `Bearer ${teamKey}`,
      // Within the process, the log has a line for the page, and none for what the page asks.
      "x-console": "page",
      ...(init.body === undefined ? {} : { "content-type": "application/json" }),
      ...init.headers,
    };
    const response = await fetch(new Request(base + path, { ...init, headers })).catch((cause) => {
      throw new ChatApiError("service_unavailable", { message: "The channel does not answer.", cause });
    });
    if (response.ok) return response;
    const { error } = await bodyOf<{ error?: { code: string; message: string } }>(response);
    if (error === undefined) throw otherServer(response);
    const { code, message } = error;
    throw new ChatApiError(isErrorCode(code) ? code : "internal_error", { message });
  }

  return { request, get: async <T>(path: string) => bodyOf<T>(await request(path)) };
}

/** The page that asks knows the route and what it answers. */
async function bodyOf<T>(response: Response): Promise<T> {
  return response.json().catch((cause) => {
    throw otherServer(response, cause);
  }) as Promise<T>;
}

/** A proxy in between, or another server at the address. */
function otherServer({ status }: Response, cause?: unknown): ChatApiError {
  const message = `The channel's address answers ${status}, but not as a channel.`;
  return new ChatApiError("service_unavailable", { message, cause });
}
