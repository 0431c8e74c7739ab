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
    this.#url = url;
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
      // The channel's log has a line for the page, and none for what the page asks.
      "x-console": "page",
      ...(init.body === undefined ? {} : { "content-type": "application/json" }),
      ...init.headers,
    };
    const response = await this.#fetch(new Request(this.#url + path, { ...init, headers })).catch((cause) => {
      throw new ChatApiError("service_unavailable", { message: "The channel does not answer.", cause });
    });
    if (response.ok) return response;
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    throw new ChatApiError(isErrorCode(error.code) ? error.code : "internal_error", {
      message: error.message,
    });
  }

  async get<T>(path: string): Promise<T> {
    // The page that asks knows the route and what it answers.
    return (await this.request(path)).json() as Promise<T>;
  }

  async post(path: string, body: object, headers: object = {}): Promise<void> {
    await this.request(path, { method: "POST", body: JSON.stringify(body), headers });
  }
}
