/** A request of another part of the page, unchecked: `new CustomEvent("shop-chat:open", { detail })`. */
export interface OpenRequest {
  /** Text for the composer; it is not sent. */
  draft?: string;
  /** A message to send at once. */
  send?: string;
  chatId?: string;
  /** Opens a new chat. */
  newChat?: boolean;
}

/** The request in the page's own address, `?chat=<chat ID>`. */
export function linkedChat(): OpenRequest | null {
  const chatId = new URLSearchParams(window.location.search).get("chat");
  return chatId === null ? null : { chatId };
}

/** Requests of the page that no chat has taken yet: each is done once, by one chat. */
export interface OpenRequests {
  waiting: OpenRequest[];
  /** The chat on the page, told of each new request. */
  onRequest?: (() => void) | undefined;
}

export function ask(requests: OpenRequests, wanted: OpenRequest): void {
  requests.waiting.push(wanted);
  requests.onRequest?.();
}

interface OpenEvent extends CustomEventInit<OpenRequest> {
  /** A page may have two chats, perhaps of two builds: one of them answers. */
  isAnswered?: true;
}

/** The latest request while no chat was on the page, as before it hydrates. Another build may answer it. */
let early: OpenEvent | null = null;
let watchers = 0;
if (typeof window !== "undefined") {
  window.addEventListener("shop-chat:open", (event: OpenEvent) => {
    if (watchers === 0) early = event;
  });
  // The request was the former customer's.
  window.addEventListener("shop-chat:session", () => {
    early = null;
  });
}

function answer(event: OpenEvent, open: (wanted: OpenRequest) => void): void {
  if (!event.isAnswered) open(event.detail ?? {});
  event.isAnswered = true;
}

/**
 * Calls `open` for the page's `shop-chat:open` events, and for presses on its elements with the attribute
 * `data-shop-chat-open`, whose value is the draft. Such a link is not followed. When the customer changes,
 * what waits in `requests` only opens the chat, and `onSession` is called. Returns a function that stops.
 */
export function watchOpenRequests(
  requests: OpenRequests,
  open: (wanted: OpenRequest) => void,
  onSession?: () => void,
): () => void {
  const onRequest = (event: OpenEvent) => answer(event, open);
  const onClick = (event: MouseEvent) => {
    const [pressed] = event.composedPath();
    const opener = pressed instanceof Element ? pressed.closest("[data-shop-chat-open]") : null;
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (opener === null || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    const draft = opener.getAttribute("data-shop-chat-open");
    open(draft ? { draft } : {});
  };
  const stopped = new AbortController();
  window.addEventListener("shop-chat:open", onRequest, stopped);
  window.addEventListener("click", onClick, stopped);
  const forget = () => {
    requests.waiting = requests.waiting.map(() => ({}));
    onSession?.();
  };
  window.addEventListener("shop-chat:session", forget, stopped);
  watchers += 1;
  if (early !== null) answer(early, open);
  early = null;
  return () => {
    watchers -= 1;
    stopped.abort();
  };
}
