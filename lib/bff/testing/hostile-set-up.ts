/** Setup and teardown of test files against the hostile upstream. Called at the top level of a file. */
import { afterAll, beforeEach, onTestFinished, vi } from "vitest";
import type { Environment } from "../configuration/env.ts";
import { userIdOfCustomer } from "../session/customer.ts";
import { type HostileUpstream, ownChat, startHostileUpstream, testChannelKey } from "./hostile-upstream.ts";
import { startTestBff, type TestBff, type TestBrowser, testEnvironment } from "./test-bff.ts";

/** The customer who owns `chat_0001`. */
export const maya = userIdOfCustomer("maya-okafor");

/** Before each test the upstream forgets the previous test's answers. */
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

/** The browser of a new guest. */
export async function newGuest(t: TestBff): Promise<TestBrowser> {
  const browser = t.browser();
  await browser.start();
  return browser;
}

let customers = 0;

/** Another customer's browser, to which every chat belongs as well, for limits across callers. */
export async function anotherOwner(t: TestBff): Promise<TestBrowser> {
  vi.spyOn(t.bff.ownership, "require").mockResolvedValue(undefined);
  customers += 1;
  return signedIn(t, `customer-${customers}`);
}

/** A BFF for one test, and Maya's browser in front of it. */
export async function bffOfTest(
  upstream: HostileUpstream,
  environment: Environment,
): Promise<{ t: TestBff; browser: TestBrowser }> {
  const t = startTestBff(environment);
  onTestFinished(() => t.stop());
  return { t, browser: await ownerOfChat(t, upstream) };
}

/** Maya's browser; `chat_0001` is hers. */
export async function ownerOfChat(t: TestBff, upstream: HostileUpstream): Promise<TestBrowser> {
  ownChat(upstream, maya);
  return signedIn(t);
}

export interface Outcome {
  status: number;
  /** The error's code and field. */
  code: string | undefined;
  field: string | undefined;
}

export async function outcomeOf(answer: Response | Promise<Response>): Promise<Outcome> {
  const response = await answer;
  const { error } = await response.json();
  return { status: response.status, code: error?.code, field: error?.field };
}
