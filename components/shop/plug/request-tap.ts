/** Watches the chat's writes as they leave this page, and takes the chat off the network. */

/** One attempt of the browser at a write to the shop's server. */
export interface SentRequest {
  id: string;
  /** The idempotency key, which the attempts of one press share. */
  key: string;
  chatId: string | null;
  /** False for the request that creates the chat. */
  isMessage: boolean;
  attempt: number;
  sentAt: number;
  /** Known once the server answers. */
  requestId: string | null;
  /** How it ended; null while it has not. */
  answer: string | null;
}

const api = "/api/chat/";
let network = new AbortController();

/** Ends the chat's requests and refuses new ones, as without a network, or lets them pass again. */
export function setOffline(isOffline: boolean): void {
  if (isOffline === network.signal.aborted) return;
  if (isOffline) {
    network.abort(new TypeError("The demo is offline."));
    Object.defineProperty(navigator, "onLine", { configurable: true, value: false });
  } else {
    network = new AbortController();
    // The browser's own property is the prototype's.
    Reflect.deleteProperty(navigator, "onLine");
  }
  window.dispatchEvent(new Event(isOffline ? "offline" : "online"));
}

/** Tells of each attempt, and again when something of it becomes known. Returns a function that stops. */
export function tapRequests(attemptsWith: (key: string) => number, tell: (sent: SentRequest) => void) {
  const { fetch: original } = window;
  window.fetch = async (input, init = {}) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    if (!pathname.startsWith(api)) return original(input, init);
    const signal = AbortSignal.any([network.signal, ...(init.signal ? [init.signal] : [])]);
    const key = new Headers(init.headers).get("Idempotency-Key");
    const [, chatId = null, part] = /chats(?:\/([^/]+)\/(\w+))?$/.exec(pathname) ?? [];
    if (key === null || (part !== undefined && part !== "messages"))
      return original(input, { ...init, signal });

    const id = crypto.randomUUID();
    const attempt = attemptsWith(key) + 1;
    const isMessage = part === "messages";
    const begun = { id, key, chatId, isMessage, attempt, sentAt: Date.now(), requestId: null, answer: null };
    tell(begun);
    try {
      const response = await original(input, { ...init, signal });
      const answered = { ...begun, requestId: response.headers.get("X-Request-Id") };
      tell(answered);
      void endOf(response.clone()).then((answer) => tell({ ...answered, answer }));
      return response;
    } catch (error) {
      tell({ ...begun, answer: "no connection" });
      throw error;
    }
  };
  return () => {
    window.fetch = original;
  };
}

async function endOf(response: Response): Promise<string> {
  const body = await response.text().catch(() => null);
  if (body === null) return "connection lost";
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const code = /"code":"(\w+)"/.exec(body)?.[1];
  if (isStream && /^event: done$/m.test(body)) return `${response.status} done`;
  if (isStream) return /^event: error$/m.test(body) ? `ended: ${code}` : "connection lost";
  return response.ok ? `${response.status}` : `${response.status} ${code}`;
}
