/** The console's way to a channel: its `/team` and `/lab`, by one `fetch`. */
import { ChatApiError, isErrorCode } from "#lib/chat-api/errors.ts";

/** The connection: within the process or over the network. */
export type Fetch = (request: Request) => Promise<Response>;

export class ChannelClient {
  readonly #fetch: Fetch;
  readonly #url: string;
  readonly #teamKey: string;

  constructor(fetch: Fetch, url: string, teamKey: string) {
    this.#fetch = fetch;
    // Paths follow, which begin with a slash.
    this.#url = url.replace(/\/+$/, "");
    this.#teamKey = teamKey;
  }

  /** Another channel of the same process: its key chooses it. */
  withKey(teamKey: string): ChannelClient {
    return new ChannelClient(this.#fetch, this.#url, teamKey);
  }

  /** @throws ChatApiError what the channel answers */
  async request(path: string, init: { method?: string; body?: string; headers?: object } = {}) {
    const headers = {
      authorization: `Bearer ${this.#teamKey}`,
      // Within the process, the log has a line for the page, and none for what the page asks.
      "x-console": "page",
      ...(init.body === undefined ? {} : { "content-type": "application/json" }),
      ...init.headers,
    };
    const response = await this.#fetch(new Request(this.#url + path, { ...init, headers })).catch((cause) => {
      throw new ChatApiError("service_unavailable", { message: "The channel does not answer.", cause });
    });
    if (response.ok) return response;
    const { error } = await bodyOf<{ error?: { code: string; message: string } }>(response);
    if (error === undefined) throw otherServer(response);
    throw new ChatApiError(isErrorCode(error.code) ? error.code : "internal_error", {
      message: error.message,
    });
  }

  async get<T>(path: string): Promise<T> {
    return bodyOf<T>(await this.request(path));
  }
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
