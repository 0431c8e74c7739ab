import { onTestFinished, vi } from "vitest";
import type { ChatRuntime } from "../chat-runtime.ts";
import { createChatRuntime } from "../create-chat-runtime.ts";
import { createTabs } from "../tabs/tabs.ts";
import { inertSession } from "./inert-session.ts";
import { type MemoryStorage, memoryStorage } from "./memory-storage.ts";
import { sessionStorageOf } from "./session-storage.ts";

export interface RuntimePage {
  runtime: ChatRuntime;
  storage: MemoryStorage;
  /** Method and path below the base path of every request, in order. */
  requests: string[];
  /** The idempotency keys of all requests that have one, in order. */
  keys: string[];
  /** Dispatches an event to the window of the page. */
  hear(name: string): void;
}

export type Answers = (request: string, init: RequestInit) => Response | undefined;

/** For tests: a page whose server gives these answers; requests without an answer stay pending. */
export function aRuntimePage(
  answers: Answers = () => undefined,
  chatId: string | null = null,
  storage: MemoryStorage = memoryStorage(),
  tabStorage = new Map<string, string>(),
): RuntimePage {
  const listeners = new Map<string, () => void>();
  vi.stubGlobal("window", {
    addEventListener: (name: string, listener: () => void) => void listeners.set(name, listener),
    removeEventListener: () => undefined,
    sessionStorage: sessionStorageOf(tabStorage),
  });
  vi.stubGlobal("document", { hidden: true });
  vi.stubGlobal("navigator", { onLine: true });
  const requests: string[] = [];
  const keys: string[] = [];
  vi.stubGlobal("fetch", (address: string, init: RequestInit = {}) => {
    const [path = ""] = address.split("?");
    const request = `${init.method ?? "GET"} ${path.replace(inertSession.api, "")}`;
    requests.push(request);
    const key = new Headers(init.headers).get("idempotency-key");
    if (key !== null) keys.push(key);
    const answer = answers(request, init);
    return answer === undefined ? new Promise(() => undefined) : Promise.resolve(answer);
  });
  const tabs = createTabs();
  const runtime = createChatRuntime({
    owner: "guest",
    storage,
    tab: { tabs, session: inertSession },
    locale: "en",
    chatId,
  });
  runtime.chats.resume();
  onTestFinished(() => {
    runtime.close();
    tabs.close();
  });
  return { runtime, storage, requests, keys, hear: (name) => listeners.get(name)?.() };
}
