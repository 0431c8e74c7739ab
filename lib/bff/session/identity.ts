/** Determines the caller: the customer whom the host names for the request, otherwise the guest. */
import { AsyncLocalStorage } from "node:async_hooks";
import { ChatApiError } from "../../chat-api/errors.ts";
import { bffLimits } from "../configuration/limits.ts";
import type { Logger } from "../observability/observe.ts";
import { askHost } from "./ask-host.ts";
import { type AdmitGuest, type Customer, type CustomerOf, userIdOfCustomer } from "./customer.ts";
import type { GuestSessions, Session } from "./guest-sessions.ts";

export type Identity = ReturnType<typeof createIdentity>;

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
}

export function createIdentity(options: IdentityOptions) {
  const { customerOf, admitGuest, appOrigin, guests, followsGuests, log } = options;
  /** When the host was asked who made a request, on `performance`'s clock. */
  const askedTimes = new WeakMap<Request, number>();

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

  const named = (of: CustomerOf, received: ReceivedRequest) =>
    askHost(log, "customerOf", async () => requireCustomer(await of(forHost(received))));

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
      const customer = await named(customerOf, received);
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
      let askedAt = askedTimes.get(received.request) ?? Number.NEGATIVE_INFINITY;
      return () => {
        const now = performance.now();
        if (now - askedAt < bffLimits.callerCheckInterval) return undefined;
        askedAt = now;
        return inContext(() => named(customerOf, received)).then(judge, (error: ChatApiError) => error);
      };
    },
  };
}

/**
 * Checks the customer, because the host may be untyped. All customers without an ID would share their chats.
 */
function requireCustomer(customer: Customer | null): Customer | null {
  if (customer === null) return null;
  const { id, name } = (customer ?? {}) as Partial<Customer>;
  if (typeof id !== "string" || id === "" || typeof name !== "string")
    throw new TypeError("customerOf must resolve with { id, name }, two strings, or with null for a guest");
  return { id, name };
}
