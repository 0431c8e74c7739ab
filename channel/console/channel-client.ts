/** The console's way to a channel: its `/team` and `/lab`, by one `fetch`. */
import { ChatApiError, isErrorCode } from "#lib/chat-api/errors.ts";

/** The connection: within the process or over the network. */
export type Fetch = (request: Request) => Promise<Response>;

export type ChannelClient = ReturnType<typeof channelClient>;

export function channelClient(fetch: Fetch, url: string, teamKey: string) {
  // Paths follow, which begin with a slash.
  const base = url.replace(/\/+$/, "");

  /** @throws ChatApiError what the channel answers */
  async function request(path: string, init: RequestInit & { headers?: object } = {}): Promise<Response> {
    const headers = {
      authorization: `Bearer ${teamKey}`,
      // Within the process, the log has a line for the page, and none for what the page asks.
      "x-console": "page",
      ...(init.body === undefined ? {} : { "content-type": "application/json" }),
      ...init.headers,
    };
    const response = await fetch(new Request(base + path, { ...init, headers })).catch(throwSilent);
    if (response.ok) return response;
    const { error } = await bodyOf<{ error?: { code: string; message: string } }>(response);
    if (error === undefined) throwSilent(response.status);
    throw new ChatApiError(isErrorCode(error.code) ? error.code : "internal_error", error);
  }

  return { request, get: async <T>(path: string) => bodyOf<T>(await request(path)) };
}

/** The page that asks knows the route and what it answers; a proxy in between may answer anything. */
async function bodyOf<T>(response: Response): Promise<T> {
  return response.json().catch(throwSilent) as Promise<T>;
}

function throwSilent(cause: unknown): never {
  throw new ChatApiError("service_unavailable", { message: "The channel does not answer.", cause });
}
