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
interface ReceivedRequest {
  readonly request: Request;
  readonly url: URL;
}

export interface IdentityOptions {
  /** Undefined if every caller is a guest. */
  customerOf: CustomerOf | undefined;
  /** Undefined if every new guest is admitted. */
  admitGuest: AdmitGuest | undefined;
  /** The origin of the URLs that the host's functions receive. */
  appOrigin: string;
  guests: GuestSessions;
  /** True if a guest's chats follow the sign-in. */
  followsGuests: boolean;
  log: Logger;
  clock: () => number;
}

export function createIdentity(options: IdentityOptions) {
  const { customerOf, admitGuest, appOrigin, guests, followsGuests, log, clock } = options;
  /** When the host was asked who made a request, on `performance`'s clock. */
  const askedTimes = new WeakMap<Request, number>();
  /** Customers with an `until`, by the credentials of their requests. */
  const signIns = new LRUCache<string, { customer: Customer; until: number }>({
    max: bffLimits.knownSignIns,
  });

  async function sessionOf(customer: Customer, request: Request): Promise<Session> {
    const userId = userIdOfCustomer(customer.id);
    const session = { id: userId, userId, customer };
    return followsGuests ? { ...session, guestUserId: await guests.readFollowed(request, session) } : session;
  }

  /**
   * The request as the host's functions receive it: URL and headers. Its method is always GET. It has no
   * body, which only the pipeline reads. The URL is at this origin, because the caller chooses the `Host`
   * header, and a host may send the caller's cookie to an address relative to the URL.
   */
  const forHost = ({ request: { headers }, url }: ReceivedRequest) =>
    new Request(appOrigin + url.pathname + url.search, { headers });

  function known(credentials: string): Customer | undefined {
    const signIn = signIns.get(credentials);
    return signIn !== undefined && clock() < signIn.until ? signIn.customer : undefined;
  }

  async function ask(of: CustomerOf, received: ReceivedRequest, credentials: string) {
    const signIn = await askHost(log, "customerOf", async () => requireSignIn(await of(forHost(received))));
    if (signIn === null) return null;
    const { until = 0, ...customer } = signIn;
    const now = clock();
    if (until > now && credentials !== "")
      signIns.set(credentials, { customer, until: Math.min(until, now + bffLimits.knownSignInTime) });
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
      askedTimes.set(request, performance.now());
      const credentials = credentialsOf(request);
      const customer = known(credentials) ?? (await ask(customerOf, received, credentials));
      return customer === null ? guests.read(request) : sessionOf(customer, request);
    },
    /** True if a new guest may have a session. @throws ChatApiError `service_unavailable` */
    async admits(received: ReceivedRequest): Promise<boolean> {
      if (admitGuest === undefined) return true;
      return askHost(log, "admitGuest", () => admitGuest(forHost(received)));
    },
    /**
     * Returns a function that asks the host again who made this request, at most once in
     * `callerCheckInterval`; the first time was when the request was read. The function returns undefined if
     * it does not ask, and otherwise a promise of the error to end the stream with; of undefined, if it is
     * still this caller.
     */
    watch(received: ReceivedRequest, session: Session): () => Promise<Refusal> | undefined {
      if (customerOf === undefined) return () => undefined;
      // A host may read the request from its framework's asynchronous context, which streams do not run in.
      const inContext = AsyncLocalStorage.snapshot();
      const judge = (customer: Customer | null) =>
        customer?.id === session.customer?.id ? undefined : new ChatApiError("session_required");
      const credentials = credentialsOf(received.request);
      let askedAt = askedTimes.get(received.request) ?? Number.NEGATIVE_INFINITY;
      return () => {
        const now = performance.now();
        if (now - askedAt < bffLimits.callerCheckInterval) return undefined;
        askedAt = now;
        const knownId = known(credentials)?.id;
        if (knownId !== undefined && knownId === session.customer?.id) return undefined;
        const asked = inContext(() => ask(customerOf, received, credentials));
        return asked.then(judge, (error: ChatApiError) => error);
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
  const isUntil = until === undefined || Number.isFinite(until);
  if (typeof id !== "string" || id === "" || typeof name !== "string" || !isUntil)
    throw new TypeError(
      "customerOf must resolve with { id, name, until }, two strings and no time or one, or with null for a guest",
    );
  return { id, name, until };
}
