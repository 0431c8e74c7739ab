import { onTestFinished } from "vitest";
import { bodyOfError, ChatApiError, type ErrorCode } from "../../chat-api/errors.ts";
import type { ChatEngine, ChatOptions } from "../chat.ts";
import { createChat } from "../create-chat.ts";
import { type ChatStorage, createStorages } from "../storage/storage.ts";
import { type MemoryBrowser, memoryBrowser } from "./memory-browser.ts";

export interface TestPage {
  chat: ChatEngine;
  browser: MemoryBrowser;
  /** The guest's entries. */
  storage: ChatStorage;
  /** Method and path below the base path of every request but the session's, in order. */
  requests: string[];
  /** The idempotency keys of all requests that have one, in order. */
  keys: string[];
}

export type Answers = (request: string, init: RequestInit) => Response | undefined;

const api = "/api/chat";

export interface PageOptions extends Partial<ChatOptions> {
  /** A chat that the page opens, such as a linked one. */
  chatId?: string;
  /** Entries that an earlier page of this browser has stored. */
  earlier?: Pick<MemoryBrowser, "local" | "tab">;
}

/** A response with this error. */
export function refusal(code: ErrorCode, retryAfterSeconds?: number): Response {
  const error = new ChatApiError(code, { retryAfterSeconds });
  return Response.json(bodyOfError(error, "req_1"), { status: error.status });
}

/** The guest that the server names, as `POST /session` answers. */
export const guestSession = () => Response.json({ item: { caller: "tag-of-a-guest", customer: null } });

/**
 * A guest's page for tests, whose server gives these answers; requests without an answer stay pending. The
 * session is named at once.
 */
export async function aChatPage(
  answers: Answers = () => undefined,
  { chatId, earlier, ...options }: PageOptions = {},
): Promise<TestPage> {
  const requests: string[] = [];
  const keys: string[] = [];
  const browser = memoryBrowser({
    ...(earlier && { local: earlier.local, tab: earlier.tab }),
    fetch(address, init = {}) {
      const [path = ""] = address.split("?");
      const request = `${init.method ?? "GET"} ${path.replace(api, "")}`;
      if (request === "POST /session") return Promise.resolve(answers(request, init) ?? guestSession());
      requests.push(request);
      const key = new Headers(init.headers).get("idempotency-key");
      if (key !== null) keys.push(key);
      const response = answers(request, init);
      if (response !== undefined) return Promise.resolve(response);
      return new Promise((_resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    },
  });
  const chat = createChat({ api, locale: "en", browser, ...options });
  onTestFinished(chat.close);
  chat.start();
  if (chatId !== undefined) chat.openChat(chatId);
  await ownerKnown(chat);
  return { chat, browser, storage: createStorages(browser, api).of("guest"), requests, keys };
}

/** Resolves when the server has named the customer. */
export function ownerKnown({ getState, subscribe }: ChatEngine): Promise<void> {
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      if (getState().owner === null) return;
      stop();
      resolve();
    });
  });
}
