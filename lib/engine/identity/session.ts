/** The customer as the server knows them. Scripts cannot read a guest's cookie or the host's sign-in. */
import { ChatApiError } from "../../chat-api/errors.ts";
import { toChatApiError } from "../../chat-client/error-response.ts";
import { ContractError } from "../../chat-client/errors.ts";
import { defaultTimeouts } from "../../chat-client/options.ts";
import type { Browser } from "../browser/browser.ts";
import { RefusedPageError } from "../failure.ts";
import type { Storages } from "../storage/storage.ts";
import type { Tabs } from "../tabs/tabs.ts";
import { clientHeaders } from "./request.ts";

export interface NamedCustomer {
  /** The server's opaque name; constant for one customer or guest until its secret changes. */
  tag: string;
  isGuest: boolean;
  /** The guest's latest chat, for a page that remembers none. */
  lastChatId?: string | undefined;
  /** The customer's chats, the latest first, if the host keeps a list of them. */
  chatIds?: readonly string[] | undefined;
  /** The host stores what customers think of the chat. */
  takesFeedback?: boolean;
}

/** The owner of every guest's data: a browser has one guest at a time. */
export const guestOwner = "guest";

/** The storage name of the customer's data. */
export function ownerOf({ tag, isGuest }: NamedCustomer): string {
  return isGuest ? guestOwner : tag;
}

export interface Session {
  /** The base path of the chat's server. */
  readonly api: string;
  /** The last known customer or guest; null before the first answer. */
  customer(): NamedCustomer | null;
  /** Why the server refused the latest start; null if it did not. */
  refusal(): ChatApiError | null;
  /**
   * Asks the server who the customer is; a new guest gets a cookie. One tab at a time: two guests created at
   * once would overwrite each other's cookie and lose chats. Rejects if the server refuses or does not
   * answer.
   */
  start(): Promise<NamedCustomer>;
  /** Resolves when the latest start has ended. Requests wait for it, because the server could refuse them. */
  settled(): Promise<unknown>;
}

export interface SessionDeps {
  browser: Pick<Browser, "fetch" | "isLoopback" | "isOwnOrigin">;
  storages: Pick<Storages, "rename">;
  tabs: Tabs;
  /** The base path of the chat's server. */
  api: string;
  /** Gets every customer before any request goes out in that name. */
  onCustomer(customer: NamedCustomer): void;
  /** Called after every start, successful or not. */
  onEnd(): void;
}

export function createSession(deps: SessionDeps): Session {
  /** The latest start. */
  let starting: Promise<unknown> = Promise.resolve();
  let latest: NamedCustomer | null = null;
  let refusal: ChatApiError | null = null;

  async function ask(): Promise<NamedCustomer> {
    const customer = await askServer(deps);
    latest = customer;
    deps.onCustomer(customer);
    return customer;
  }

  function ended(error: unknown): void {
    refusal = error instanceof ChatApiError ? error : null;
    deps.onEnd();
  }

  return {
    api: deps.api,
    customer: () => latest,
    refusal: () => refusal,
    start() {
      const started = ask();
      starting = started.then(
        () => ended(null),
        (error: unknown) => ended(error),
      );
      return started;
    },
    settled: () => starting,
  };
}

interface StartedSession {
  caller: string;
  /** The caller's tags under former secrets of the server. An older server does not send them. */
  formerCallers?: readonly string[];
  customer: object | null;
  /** The chats that this browser's guest had are this customer's now. An older server does not send it. */
  followsGuest?: boolean;
  takesFeedback?: boolean;
  lastChatId?: string;
  chatIds?: readonly string[];
}

function askServer({ browser, storages, tabs, api }: SessionDeps): Promise<NamedCustomer> {
  return tabs.exclusively("session", async () => {
    // Browsers would block every request, which looks like a lost connection.
    if (!browser.isOwnOrigin(api))
      throw new RefusedPageError("request_not_allowed", {
        message: `The chat's \`api\` must be at this page's origin, not at ${api}.`,
      });
    const response = await browser.fetch(`${api}/session`, {
      method: "POST",
      headers: { ...clientHeaders, "Content-Type": "application/json" },
      body: "{}",
      // This tab's other requests and the session starts of other tabs wait for this request.
      signal: AbortSignal.timeout(defaultTimeouts.headers),
    });
    if (!response.ok) throw await refusalOf(response, browser.isLoopback);
    const item = await readSession(response);
    const { takesFeedback, lastChatId, chatIds } = item;
    const isGuest = item.customer === null;
    const customer: NamedCustomer = {
      ...{ tag: item.caller, isGuest, lastChatId, chatIds },
      ...(takesFeedback && { takesFeedback }),
    };
    if (!isGuest) for (const former of item.formerCallers ?? []) storages.rename(former, customer.tag);
    if (item.followsGuest) storages.rename(guestOwner, customer.tag, { isLater: true });
    return customer;
  });
}

/** @throws ContractError for the page of a proxy, or a truncated response. */
async function readSession(response: Response): Promise<StartedSession> {
  const body: { item?: Partial<StartedSession> | null } | null = await response.json().catch(() => null);
  const { caller, customer, ...item } = body?.item ?? {};
  if (typeof caller !== "string" || customer === undefined)
    throw new ContractError("createChat", "unreadable", "the response names no caller", undefined);
  return { ...item, caller, customer };
}

async function refusalOf(response: Response, isLoopback: boolean): Promise<ChatApiError> {
  const { status, headers } = response;
  const body = await response.json().catch(() => null);
  const refusal = toChatApiError(body, { operation: "createChat", status, headers });
  const isHinted = refusal.code === "request_not_allowed" && isLoopback;
  return isHinted ? new RefusedPageError(refusal.code, { message: String(body?.error?.message) }) : refusal;
}
