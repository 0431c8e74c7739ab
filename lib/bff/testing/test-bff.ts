/** A BFF for tests, called without a port, and a browser that calls it as the shop's pages do. */

import { defaultBasePath } from "../../chat-api/base-path.ts";
import { chatServerOf } from "../chat-server/chat-server.ts";
import { type Environment, readConfig } from "../configuration/env.ts";
import { type BffOptions, createBff } from "../http/bff.ts";
import type { ServerLimits } from "../http/options.ts";
import { rateLimitTable } from "../limits/rate-limits.ts";
import { createLog, secretsOf } from "../observability/log.ts";
import type { Logger } from "../observability/observe.ts";
import type { Customer, CustomerOf } from "../session/customer.ts";
import { sessionCookieName } from "../session/guest-sessions.ts";

export const testOrigin = "https://shop.example";
/** A key that must appear in no response and no log line. */
export const canaryKey = "ck_canary_7b1d9c0e5f3a";
export const testSecret = "a test secret of at least 32 chars";

export type TestBff = ReturnType<typeof startTestBff>;

export function testEnvironment(upstream: {
  channelUrl: string;
  channelKey: string;
  chatKey?: string;
}): Environment {
  return {
    NODE_ENV: "production",
    APP_ORIGIN: testOrigin,
    CHAT_BASE_URL: upstream.channelUrl,
    CHAT_CHANNEL_KEY: upstream.channelKey,
    CHAT_KEY: upstream.chatKey ?? canaryKey,
    SESSION_SECRET: testSecret,
    LOG_LEVEL: "trace",
  };
}

export interface TestBffOptions extends Omit<Partial<BffOptions>, "log" | "limits" | "customerOf"> {
  /** Null for a host without a sign-in. By default, `signedIn` is one. */
  customerOf?: CustomerOf | null;
  log?: Logger;
  limits?: Partial<ServerLimits>;
  /** Applies all limits. */
  isLimited?: boolean;
}

/** A limit of the table that never refuses. */
const unlimited = { perSession: [], perAddress: [], total: [] };
const noRates = Object.fromEntries(Object.keys(rateLimitTable(1)).map((name) => [name, unlimited]));

export function startTestBff(environment: Environment, options: TestBffOptions = {}) {
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
  const signedIn = new Map<string, Customer>();
  const { limits, isLimited = false, customerOf, ...others } = options;
  const bySignIn: CustomerOf = (request) => signedIn.get(hostTokenOf(request)) ?? null;
  // By default retries do not wait and limits do not apply.
  const bff = createBff(config, {
    log,
    sleep: async () => undefined,
    ...(customerOf !== null && { customerOf: customerOf ?? bySignIn }),
    ...others,
    limits: { ...limits, rates: { ...(isLimited ? {} : noRates), ...limits?.rates } },
  });
  const chat = chatServerOf(defaultBasePath, () => ({ bff, observe: bff.observe }));
  const request = (sent: Request) => chat.handle(sent);
  return {
    bff,
    chat,
    config,
    /** Every logged line, parsed and unparsed. */
    lines,
    rawLines,
    /** The host's sign-in: customers by the token in their cookie. */
    signedIn,
    request,
    browser: () => createTestBrowser(request, signedIn),
    stop: () => bff.stop(),
  };
}

const hostCookieName = "host";

function hostTokenOf(request: Request): string {
  const pairs = (request.headers.get("cookie") ?? "").split("; ");
  return pairs.find((pair) => pair.startsWith(`${hostCookieName}=`))?.slice(hostCookieName.length + 1) ?? "";
}

/** Keeps cookies and sends the same headers as the shop's pages. */
export interface TestBrowser {
  /** The chat's cookie. */
  cookie: string | undefined;
  hostCookie: string | undefined;
  /** Both cookies, as the header contains them. */
  cookies(): string;
  /** Signs in without notifying the chat. */
  signIn(customer: Customer): void;
  /** The host ends the session, and the browser deletes the cookie. */
  signOut(): void;
  /** Signs in as this customer, if given, and sends a page's first request. */
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

function createTestBrowser(
  request: (request: Request) => Promise<Response>,
  signedIn: Map<string, Customer>,
): TestBrowser {
  const browser: TestBrowser = {
    cookie: undefined,
    hostCookie: undefined,
    cookies: () => [browser.hostCookie, browser.cookie].filter((pair) => pair !== undefined).join("; "),
    signIn(customer) {
      const token = freshKey();
      signedIn.set(token, customer);
      browser.hostCookie = `${hostCookieName}=${token}`;
    },
    signOut() {
      signedIn.delete(browser.hostCookie?.split("=")[1] ?? "");
      browser.hostCookie = undefined;
    },
    start(customerId) {
      if (customerId !== undefined) browser.signIn({ id: customerId, name: customerId });
      return browser.post("/api/chat/session", {});
    },
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
      if (browser.cookies() !== "") headers.set("cookie", browser.cookies());
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
