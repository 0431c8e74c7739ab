/** The parts that the routes use, created once per chat server (`chat-server/bff.ts`). */
import type { ChatPages } from "../chats/chat-pages.ts";
import type { ListedChats } from "../chats/customer-chats.ts";
import type { Ownership } from "../chats/ownership.ts";
import type { Config } from "../configuration/env.ts";
import type { TakeFeedback } from "../feedback/feedback.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { Slots } from "../limits/slots.ts";
import type { Streams } from "../limits/streams.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { CallerTagsOf } from "../session/caller-tags.ts";
import type { GuestSessions } from "../session/guest-sessions.ts";
import type { Identity } from "../session/identity.ts";
import type { Readiness } from "../upstream/readiness.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { Observer } from "./observed.ts";
import type { AllowedPages } from "./same-origin.ts";

export interface Bff extends Observer {
  /** Undefined without `METRICS_TOKEN`. */
  readonly metrics: Metrics | undefined;
  readonly config: Config;
  readonly allowedPages: AllowedPages;
  readonly identity: Identity;
  readonly callerTags: CallerTagsOf;
  readonly guests: GuestSessions;
  /** True if a guest's chats follow the sign-in. */
  readonly followsGuests: boolean;
  readonly ownership: Ownership;
  readonly chatPages: ChatPages;
  /** Undefined if the host keeps no list. */
  readonly listedChats: ListedChats | undefined;
  /** Undefined if the host takes no feedback. */
  readonly takeFeedback: TakeFeedback | undefined;
  readonly rateLimits: RateLimits;
  readonly streams: Streams;
  readonly uploadSlots: Slots;
  readonly downloadSlots: Slots;
  readonly upstream: Upstream;
  readonly readiness: Readiness;
  /** Refuses new requests, lets streams finish, then closes the connections to the Chat API and Redis. */
  stop(): Promise<void>;
}
