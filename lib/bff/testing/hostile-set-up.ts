/** How tests against the hostile upstream begin and end, for a whole file: called at its top level. */
import { afterAll, beforeEach } from "vitest";
import type { Environment } from "../env.ts";
import { userIdOfCustomer } from "../identity.ts";
import { type HostileUpstream, ownChat, startHostileUpstream, testChannelKey } from "./hostile-upstream.ts";
import { startTestBff, type TestBff, type TestBrowser, testEnvironment } from "./test-bff.ts";

/** The customer who owns `chat_0001`. */
export const maya = userIdOfCustomer("maya-okafor");

/** Before each test the peer has forgotten what the one before made it answer. */
export async function hostilePeer(): Promise<{ upstream: HostileUpstream; environment: Environment }> {
  const upstream = await startHostileUpstream();
  beforeEach(() => upstream.forget());
  afterAll(() => upstream.close());
  const { baseUrl } = upstream;
  return { upstream, environment: testEnvironment({ baseUrl, channelKey: testChannelKey }) };
}

/** One BFF for all tests of the file. */
export function sharedBff(environment: Environment): TestBff {
  const t = startTestBff(environment);
  afterAll(() => t.stop());
  return t;
}

export async function signedIn(t: TestBff, customerId = "maya-okafor"): Promise<TestBrowser> {
  const browser = t.browser();
  await browser.start(customerId);
  return browser;
}

/** Maya's browser; `chat_0001` is hers. */
export async function ownerOfChat(t: TestBff, upstream: HostileUpstream): Promise<TestBrowser> {
  ownChat(upstream, maya);
  return signedIn(t);
}
