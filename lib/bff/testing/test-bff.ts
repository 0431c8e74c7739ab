/** A BFF for tests, called without a port, and a browser that calls it as the shop's pages do. */

import { type Bff, type BffOptions, createBff } from "../bff.ts";
import { answerRequest } from "../endpoints.ts";
import { type Config, type Environment, readConfig } from "../env.ts";
import { createLog, secretsOf } from "../log.ts";
import { sessionCookieName } from "../session.ts";

export const testOrigin = "https://shop.example";
/** Found in no response and no log line: every test that sees it fails. */
export const canaryKey = "ck_canary_7b1d9c0e5f3a";
export const testSecret = "a test secret of at least 32 chars";

export interface TestBff {
  bff: Bff;
  config: Config;
  /** Every line logged, parsed. */
  lines: Record<string, unknown>[];
  /** The same, raw. */
  rawLines: string[];
  request(request: Request): Promise<Response>;
  browser(): TestBrowser;
  stop(): Promise<void>;
}

export function testEnvironment(upstream: {
  baseUrl: string;
  channelKey: string;
  chatKey?: string;
}): Environment {
  return {
    NODE_ENV: "production",
    APP_ORIGIN: testOrigin,
    CHAT_BASE_URL: upstream.baseUrl,
    CHAT_CHANNEL_KEY: upstream.channelKey,
    CHAT_KEY: upstream.chatKey ?? canaryKey,
    SESSION_SECRET: testSecret,
    LOG_LEVEL: "trace",
  };
}

export function startTestBff(environment: Environment, options: BffOptions = {}): TestBff {
  const config = readConfig(environment);
  const rawLines: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const log = createLog({
    level: config.logLevel,
    secrets: secretsOf(config),
    destination: {
      write(line) {
        rawLines.push(line);
        lines.push(JSON.parse(line));
      },
    },
  });
  // Tests wait for no repetition and meet no limit, unless they say so.
  const bff = createBff(config, { log, rateLimitTable: {}, sleep: async () => undefined, ...options });
  const request = (sent: Request) => answerRequest(bff, sent);
  return {
    bff,
    config,
    lines,
    rawLines,
    request,
    browser: () => createTestBrowser(request),
    stop: () => bff.stop(),
  };
}

/** Keeps its cookie, and sends what a page of the shop sends. */
export interface TestBrowser {
  cookie: string | undefined;
  start(customerId?: string): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  send(path: string, init: RequestInit): Promise<Response>;
}

let keys = 0;
export function freshKey(): string {
  keys += 1;
  return `key-${keys}-${Math.random().toString(36).slice(2)}`;
}

export const pageHeaders = {
  "sec-fetch-site": "same-origin",
  "sec-fetch-mode": "cors",
  "x-chat-client": "1",
};

function createTestBrowser(request: (request: Request) => Promise<Response>): TestBrowser {
  const browser: TestBrowser = {
    cookie: undefined,
    start: (customerId) => browser.post("/api/session", customerId === undefined ? {} : { customerId }),
    get: (path, headers) => browser.send(path, headers === undefined ? {} : { headers }),
    post: (path, body, headers) =>
      browser.send(path, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": freshKey(), ...headers },
        body: JSON.stringify(body),
      }),
    async send(path, init) {
      const headers = new Headers({
        ...pageHeaders,
        ...(init.method === undefined ? {} : { origin: testOrigin }),
      });
      if (browser.cookie !== undefined) headers.set("cookie", browser.cookie);
      new Headers(init.headers).forEach((value, name) => {
        headers.set(name, value);
      });
      const duplex = init.body instanceof ReadableStream ? { duplex: "half" } : {};
      const response = await request(new Request(testOrigin + path, { ...init, ...duplex, headers }));
      keepCookie(browser, response);
      return response;
    },
  };
  return browser;
}

function keepCookie(browser: TestBrowser, response: Response): void {
  for (const cookie of response.headers.getSetCookie()) {
    const [pair = ""] = cookie.split(";");
    if (!pair.startsWith(`${sessionCookieName}=`)) continue;
    browser.cookie = pair.endsWith("=") ? undefined : pair;
  }
}
