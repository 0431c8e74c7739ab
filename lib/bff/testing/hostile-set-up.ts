/** Setup and teardown of test files against the hostile upstream. Called at the top level of a file. */
import { afterAll, beforeEach, expect, onTestFinished, vi } from "vitest";
import { type ErrorCode, responseOf } from "../../chat-api/errors.ts";
import { type OperationName, operationPath, operations } from "../../chat-api/operations.ts";
import type { Environment } from "../configuration/env.ts";
import { bffLimits } from "../configuration/limits.ts";
import { userIdOfCustomer } from "../session/customer.ts";
import { type HostileUpstream, ownChat, startHostileUpstream } from "./hostile-upstream.ts";
import {
  freshKey,
  startTestBff,
  type TestBff,
  type TestBffOptions,
  type TestBrowser,
  testEnvironment,
} from "./test-bff.ts";

/** The customer who owns `chat_0001`. */
export const maya = userIdOfCustomer("maya-okafor");

/** Starts a hostile upstream. Before each test it forgets the responses and requests of the previous one. */
export async function hostilePeer(): Promise<{ upstream: HostileUpstream; environment: Environment }> {
  const upstream = await startHostileUpstream();
  beforeEach(() => upstream.forget());
  afterAll(() => upstream.close());
  return { upstream, environment: testEnvironment(upstream) };
}

/** One BFF for all tests of the file. */
export function sharedBff(environment: Environment, options: TestBffOptions = {}): TestBff {
  const t = startTestBff(environment, options);
  afterAll(async () => {
    // `stop` waits for responses that no test has read. Fake timers skip that wait.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const stopped = t.stop();
    await vi.advanceTimersByTimeAsync(bffLimits.drainTime + bffLimits.closeTime);
    vi.useRealTimers();
    await stopped;
  });
  return t;
}

export async function signedIn(t: TestBff, customerId = "maya-okafor"): Promise<TestBrowser> {
  const browser = t.browser();
  await browser.start(customerId);
  return browser;
}

export async function newGuest(t: TestBff): Promise<TestBrowser> {
  const browser = t.browser();
  await browser.start();
  return browser;
}

/** Creates a chat for the caller, which the upstream then returns. */
export async function newChat(
  upstream: HostileUpstream,
  browser: TestBrowser,
  id: string,
): Promise<{ path: string; userId: string }> {
  upstream.createsChats(id);
  const { item } = await (await browser.post("/api/chat/chats", {})).json();
  upstream.respond(`GET /chats/${id}`, 200, { item });
  return { path: `/api/chat/chats/${id}`, userId: item.userId };
}

let customers = 0;

/** The browser of a new customer who passes every ownership check, for limits across callers. */
export async function anotherOwner(t: TestBff): Promise<TestBrowser> {
  vi.spyOn(t.bff.ownership, "require").mockImplementation(async ([userId]) => ({ userId, chat: undefined }));
  customers += 1;
  return signedIn(t, `customer-${customers}`);
}

/** A BFF that is stopped at the end of the test. */
export function ownBff(environment: Environment, options: TestBffOptions = {}): TestBff {
  const t = startTestBff(environment, options);
  onTestFinished(() => t.stop());
  return t;
}

/** A BFF for one test, and Maya's browser in front of it. */
export async function bffOfTest(
  upstream: HostileUpstream,
  environment: Environment,
): Promise<{ t: TestBff; browser: TestBrowser }> {
  const t = ownBff(environment);
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

export async function outcomeOf(responding: Response | Promise<Response>): Promise<Outcome> {
  const response = await responding;
  const { error } = await response.json();
  return { status: response.status, code: error?.code, field: error?.field };
}

/** Expects an error with this code, its status and, if given, this field. `what` names the case. */
export async function expectRefused(
  result: Response | Promise<Response | Outcome>,
  code: ErrorCode,
  what?: string,
  field?: string,
): Promise<void> {
  const settled = await result;
  const outcome = settled instanceof Response ? await outcomeOf(settled) : settled;
  const { status } = responseOf(code);
  expect(outcome, what).toMatchObject({ status, code, ...(field === undefined ? {} : { field }) });
}

const operationBodies: Partial<Record<OperationName, object>> = {
  sendMessage: { text: "hello" },
  submitCollection: { collectionRequestId: null, expectedVersion: 0, action: "save" },
  handoff: { confirmationId: "confirm_1" },
};

/** Calls an operation with a well-formed request. */
export function callOperation(
  browser: TestBrowser,
  operation: OperationName,
  chatId = "chat_0001",
  accept = "application/json",
): Promise<Response> {
  const path = `/api/chat${operationPath(operation, { chatId, fileId: "file_0001" })}`;
  if (operations[operation].method === "GET") return browser.get(path);
  if (operation !== "uploadFile") return browser.post(path, operationBodies[operation] ?? {}, { accept });
  const form = new FormData();
  form.append("file", new Blob(["text"], { type: "text/plain" }), "a.txt");
  return browser.send(path, { method: "POST", body: form, headers: { "idempotency-key": freshKey() } });
}
