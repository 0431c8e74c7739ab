/** Determines the caller: the customer whom the host names for the request, otherwise the guest. */
import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { ChatApiError } from "../../chat-api/errors.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { Logger } from "../observability/observe.ts";
import { askHost } from "./ask-host.ts";
import {
  type AdmitGuest,
  type Customer,
  type CustomerOf,
  type SignIn,
  userIdOfCustomer,
} from "./customer.ts";
import type { GuestSessions, Session } from "./guest-sessions.ts";

type Refusal = ChatApiError | undefined;

/** A request and the URL that the browser has asked for. */
export interface ReceivedRequest {
  readonly request: Request;
  readonly url: URL;
}

interface Answer {
  customer: Customer | null;
  /** Milliseconds of `performance`. */
  askedAt: number;
  /** Milliseconds since 1970. */
  until: number;
}

export interface IdentityOptions {
  /** Undefined if every caller is a guest. */
  customerOf: CustomerOf | undefined;
  /** Undefined if every new guest is admitted. */
  admitGuest: AdmitGuest | undefined;
  /** The origin of the URLs that the host's functions receive. */
  appOrigin: string;
  guests: GuestSessions;
  log: Logger;
  clock: () => number;
}

export function createIdentity(options: IdentityOptions) {
  const { customerOf, admitGuest, appOrigin, guests, log, clock } = options;
  /** The host's latest answers by the credentials of their requests. */
  const answers = new LRUCache<string, Answer>({
    max: bffLimits.knownSignIns,
    ttl: bffLimits.knownSignInTime,
  });

  async function sessionOf(customer: Customer, request: Request): Promise<Session> {
    const userId = userIdOfCustomer(customer.id);
    const guestUserId = await guests.readFollowed(request, userId);
    return { id: userId, userId, customer, guestUserId };
  }

  /**
   * The request as the host's functions receive it: URL and headers. Its method is always GET. It has no
   * body, which only the pipeline reads. The URL is at this origin, because the caller chooses the `Host`
   * header, and a host may send the caller's cookie to an address relative to the URL.
   */
  const forHost = ({ request: { headers }, url }: ReceivedRequest) =>
    new Request(appOrigin + url.pathname + url.search, { headers });

  async function ask(of: CustomerOf, received: ReceivedRequest): Promise<Customer | null> {
    const askedAt = performance.now();
    const signIn = await askHost(log, "customerOf", async () => requireSignIn(await of(forHost(received))));
    const credentials = credentialsOf(received.request);
    const customer = signIn && { id: signIn.id, name: signIn.name };
    const until = Math.min(signIn?.until ?? 0, clock() + bffLimits.knownSignInTime);
    if (credentials !== "") answers.set(credentials, { customer, askedAt, until });
    return customer;
  }

  return {
    /**
     * The caller; undefined for a guest without a cookie. If the host fails, the caller is not treated as a
     * guest, who would see an empty chat.
     * @throws ChatApiError `service_unavailable`
     */
    async read(received: ReceivedRequest) {
      const { request } = received;
      if (customerOf === undefined) return guests.read(request);
      const last = answers.get(credentialsOf(request));
      const holds = last !== undefined && clock() < last.until;
      const customer = holds ? last.customer : await ask(customerOf, received);
      return customer === null ? guests.read(request) : sessionOf(customer, request);
    },
    /** True if a new guest may have a session. @throws ChatApiError `service_unavailable` */
    async admits(received: ReceivedRequest): Promise<boolean> {
      if (admitGuest === undefined) return true;
      return askHost(log, "admitGuest", () => admitGuest(forHost(received)));
    },
    /**
     * Returns a function that asks the host again who made this request, if the latest answer for the same
     * credentials is older than `callerCheckInterval`, or names somebody else. It returns undefined if it
     * does not ask, and otherwise a promise of the error to end the stream with; of undefined, if it is still
     * this caller.
     */
    watch(received: ReceivedRequest, session: Session): () => Promise<Refusal> | undefined {
      if (customerOf === undefined) return () => undefined;
      // A host may read the request from its framework's asynchronous context, which streams do not run in.
      const inContext = AsyncLocalStorage.snapshot();
      const credentials = credentialsOf(received.request);
      const isCaller = (customer: Customer | null) => customer?.id === session.customer?.id;
      const judge = (customer: Customer | null) =>
        isCaller(customer) ? undefined : new ChatApiError("session_required");
      let askedAt = Number.NEGATIVE_INFINITY;
      return () => {
        const now = performance.now();
        const isRecent = () => now - askedAt < bffLimits.callerCheckInterval;
        if (isRecent()) return undefined;
        const last = answers.get(credentials);
        if (last !== undefined && isCaller(last.customer))
          askedAt = clock() < last.until ? now : last.askedAt;
        if (isRecent()) return undefined;
        askedAt = now;
        return inContext(() => ask(customerOf, received)).then(judge, (error: ChatApiError) => error);
      };
    },
  };
}

/** Hashed, because callers choose how long their cookies are. Empty for a request without any. */
function credentialsOf({ headers }: Request): string {
  const credentials = `${headers.get("cookie") ?? ""}\n${headers.get("authorization") ?? ""}`;
  return credentials === "\n" ? "" : hash("sha256", credentials, "base64url");
}

/**
 * Checks the customer, because the host may be untyped. All customers without an ID would share their chats.
 */
function requireSignIn(signIn: SignIn | null): SignIn | null {
  if (signIn === null) return null;
  const { id, name, until } = (signIn ?? {}) as Partial<SignIn>;
  const isUntil = until === undefined || (typeof until === "number" && !Number.isNaN(until));
  if (typeof id !== "string" || id === "" || typeof name !== "string" || !isUntil)
    throw new TypeError(
      "customerOf must resolve with { id, name }, two strings, or with null for a guest; `until` is a number",
    );
  return { id, name, until };
}
