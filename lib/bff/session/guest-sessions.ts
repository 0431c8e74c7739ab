/**
 * Guests have a sealed cookie whose content never changes, so that two tabs cannot overwrite each other and
 * no database is needed. The random ID inside identifies the session; the cookie's text does not, because the
 * caller controls it. Customers have no cookie of ours (`identity.ts`).
 */
import { createHmac, hash, randomBytes } from "node:crypto";
import { sealData, unsealData } from "iron-session";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { defaultBasePath } from "../../chat-api/base-path.ts";
import { chatIdPattern } from "../../chat-api/patterns.ts";
import type { Config } from "../configuration/env.ts";
import type { Logger } from "../observability/observe.ts";
import type { CallerTags } from "./caller-tags.ts";
import { cookieValues } from "./cookies.ts";
import type { Customer, GuestChats } from "./customer.ts";

/**
 * `__Host-` keeps sibling subdomains from setting this cookie. `Http-` keeps scripts from setting it, in
 * browsers that know the prefix.
 */
export const sessionCookieName = "__Host-Http-chat";

/**
 * The cookie's name on plain http, which is allowed on loopback only (`APP_ORIGIN`). WebKit keeps no `Secure`
 * cookie there, and without `Secure` no browser accepts the prefix.
 */
const loopbackCookieName = "chat";

/** The time for which the Chat API keeps the key of a chat's creation (docs/chat-api.md, "Idempotency"). */
export const sessionLifetime = 30 * 24 * 60 * 60 * 1000;

/** How long at most a customer keeps the chats that they had as a guest on this browser. */
export const followedTime = 7 * 24 * 60 * 60 * 1000;

const cachedSessions = 10_000;
const idBytes = 16;
/**
 * A browser sends one seal, or two if somebody else has set one. Unsealing all 46 that fit into a header
 * takes 9 ms.
 */
const maxSeals = 4;

/** 16 random bytes as base64url. A customer's `userId` has a dot, so no guest has the same. */
const RandomId = z.string().regex(/^[\w-]{22}$/);

const SessionContent = z.strictObject({
  v: z.literal(3),
  id: RandomId,
  /** The chats' `userId`. */
  u: RandomId,
  /** Milliseconds since 1970. */
  iat: z.int().positive(),
  /** IDs of the sessions that this one replaced. The browser may still send their cookies. */
  not: z.array(RandomId).max(maxSeals),
});

/** Takes the guest's place in the cookie when a customer signs in whose guest's chats follow. */
const FollowedContent = z.strictObject({
  v: z.literal("followed"),
  /** The guest's `userId`. */
  u: RandomId,
  /** The digest of the customer's `userId`, because a seal's length is limited. */
  by: z.string().length(43),
  /** Milliseconds since 1970. */
  end: z.int().positive(),
  /** The guest's `not`. */
  not: z.array(RandomId).max(maxSeals),
});

const Content = z.discriminatedUnion("v", [SessionContent, FollowedContent]);
type Content = z.infer<typeof Content>;

const endOf = (content: Content) => (content.v === 3 ? content.iat + sessionLifetime : content.end);

const digestOf = (userId: string) => hash("sha256", userId, "base64url");

/**
 * The only spelling in which iron-session writes a seal: the prefix, the secret's number, a salt, the
 * initialisation vector, the content, the expiry, another salt, the MAC, and the version. Its parser accepts
 * more: anything after `~`, and a MAC with padding, blanks or other unused bits in its last character. The
 * MAC has 32 bytes, so its 43rd character carries four bits and ends in two zeros. The seal has about 330
 * characters.
 */
const canonicalSeal =
  /^Fe26\.2\*\d{1,10}\*[\da-f]{64}\*[\w-]{22}\*[\w-]{1,512}\*\d{1,16}\*[\da-f]{64}\*[\w-]{42}[AEIMQUYcgkosw048]~2/;

/** The caller: a customer named by the host, or a guest with our cookie. */
export interface Session {
  /** Identifies the caller in limits and open streams: the cookie's random ID, or the customer's `userId`. */
  id: string;
  /** The caller's `userId` in the Chat API, the same on all of a customer's devices. */
  userId: string;
  /** Null for a guest. */
  customer: Customer | null;
  /** The `userId` of the guest whose chats this customer reads and continues on this browser, if any. */
  guestUserId?: string | undefined;
}

export type GuestSessions = ReturnType<typeof createGuestSessions>;

/**
 * iron-session finds the secret by a number inside the seal. If the number were the secret's position, every
 * cookie would become unreadable at the end of a rotation, when the new secret takes the old one's position.
 * So the number is derived from the secret.
 */
function secretId(secret: string): string {
  return String(hash("sha256", secret, "buffer").readUInt32BE(0));
}

interface Cookie {
  name: string;
  isSecure: boolean;
}

/**
 * The chat servers of one origin have cookies of their own, whose path the prefix does not let them choose.
 * Both kinds end in the base path, so that no server's cookie has the name of another one's.
 */
function cookieOf(appOrigin: string, basePath: string, kind: "" | "-last"): Cookie {
  const isSecure = appOrigin.startsWith("https:");
  // A cookie's name has no slash, and a base path has no `!`.
  const server = basePath === defaultBasePath ? "" : basePath.replaceAll("/", "!");
  return { name: (isSecure ? sessionCookieName : loopbackCookieName) + kind + server, isSecure };
}

/**
 * Differs for each base path, because callers choose a cookie's name: otherwise a guest whom one chat server
 * has admitted could show the cookie to another.
 */
function sealingSecret(secret: string, basePath: string): string {
  return basePath === defaultBasePath
    ? secret
    : createHmac("sha256", secret).update(basePath).digest("base64url");
}

function setCookie({ name, isSecure }: Cookie, value: string, maxAgeSeconds: number): string {
  const secure = isSecure ? " Secure;" : "";
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly;${secure} SameSite=Strict`;
}

function readSeals(request: Pick<Request, "headers">, { name }: Cookie): string[] {
  const seals = cookieValues(request, name)
    .map(sealOf)
    .filter((seal) => seal !== undefined);
  // Browsers send cookies with longer paths first. On plain http, where any path can set the name, ours comes
  // last.
  return [...new Set(seals)].slice(-maxSeals);
}

/** Searches from the beginning, because a regular expression for trailing blanks takes quadratic time. */
function sealOf(value: string): string | undefined {
  const seal = canonicalSeal.exec(value)?.[0];
  return seal !== undefined && /^[ \t]*$/.test(value.slice(seal.length)) ? seal : undefined;
}

const randomId = () => randomBytes(idBytes).toString("base64url");

function guestsIn(contents: readonly Content[]): Session[] {
  const replaced = new Set(contents.flatMap(({ not }) => not));
  return contents
    .filter((content) => content.v === 3)
    .filter(({ id }) => !replaced.has(id))
    .map(({ id, u }) => ({ id, userId: u, customer: null }));
}

export interface GuestSessionOptions {
  basePath?: string | undefined;
  guestChats?: GuestChats | undefined;
  clock?: (() => number) | undefined;
  log?: Pick<Logger, "warn"> | undefined;
}

const foreignSecret =
  "A guest's cookie was sealed under a SESSION_SECRET that this process does not know: the guest loses the chat. " +
  "All processes need the same secrets; while rotating, set OLD,NEW everywhere before NEW,OLD.";

export function createGuestSessions(
  config: Pick<Config, "appOrigin" | "sessionSecrets">,
  { basePath = defaultBasePath, guestChats, clock = Date.now, log }: GuestSessionOptions = {},
) {
  const passwordOf = (secret: string): [id: string, password: string] => {
    const password = sealingSecret(secret, basePath);
    return [secretId(password), password];
  };
  const passwords = Object.fromEntries(config.sessionSecrets.map(passwordOf));
  const sealing = Object.fromEntries([passwordOf(config.sessionSecrets[0])]);
  const cookie = cookieOf(config.appOrigin, basePath, "");
  const lastChat = cookieOf(config.appOrigin, basePath, "-last");

  // Cached, because unsealing costs more than the rest of a read and a seal's content never changes.
  const unsealed = new LRUCache<string, Content>({ max: cachedSessions });

  let hasWarned = false;

  async function unseal(seal: string): Promise<Content | undefined> {
    const cached = unsealed.get(seal);
    const content =
      cached ?? Content.safeParse(await unsealData(seal, { password: passwords }).catch(() => null)).data;
    const [, secret = ""] = seal.split("*", 2);
    // Once, because a caller can name any secret.
    if (content === undefined && !hasWarned && !Object.hasOwn(passwords, secret)) {
      hasWarned = true;
      log?.warn({ event: "unknown_session_secret" }, foreignSecret);
    }
    if (content === undefined || endOf(content) <= clock()) return undefined;
    if (cached === undefined) unsealed.set(seal, content);
    return content;
  }

  async function unsealAll(request: Pick<Request, "headers">): Promise<Content[]> {
    const all: Content[] = [];
    for (const seal of readSeals(request, cookie)) {
      const content = await unseal(seal);
      if (content !== undefined) all.push(content);
    }
    return all;
  }

  /**
   * The content of the header's seal, where guests' chats follow the sign-in. Undefined with two, because
   * somebody else may have set either.
   */
  async function unsealOnly(request: Pick<Request, "headers">): Promise<Content | undefined> {
    if (guestChats !== "follow") return undefined;
    const [seal, other] = readSeals(request, cookie);
    return seal === undefined || other !== undefined ? undefined : unseal(seal);
  }

  async function sealed(content: z.input<typeof Content>): Promise<string> {
    // In whole seconds, and at least one: a seal with none would never end.
    const ttl = Math.ceil((endOf(content) - clock()) / 1000);
    return setCookie(cookie, await sealData(content, { password: sealing, ttl }), ttl);
  }

  return {
    /**
     * The content of the request's cookies. A forged, truncated, expired, replaced or re-encoded cookie does
     * not count. A browser sends two only if somebody else has set one of them.
     */
    async readAll(request: Pick<Request, "headers">) {
      const contents = await unsealAll(request);
      return { sessions: guestsIn(contents), isEmpty: contents.length === 0 };
    },
    /** The guest's session. Undefined without one, or with two, because somebody else may have set either. */
    async read(request: Pick<Request, "headers">) {
      const [session, other] = guestsIn(await unsealAll(request));
      return other === undefined ? session : undefined;
    },
    /** Creates a guest who replaces the request's sessions, because the browser may keep sending one. */
    async start(request: Pick<Request, "headers">) {
      const replaced = (await unsealAll(request)).filter((content) => content.v === 3);
      const session = { id: randomId(), userId: randomId(), customer: null };
      const setCookie = await sealed({
        v: 3,
        id: session.id,
        u: session.userId,
        iat: clock(),
        not: replaced.map(({ id }) => id),
      });
      return { session, setCookie };
    },
    /**
     * The `Set-Cookie` value that ends the guest's session and lets this customer follow its chats. Undefined
     * without `guestChats: "follow"`, without a guest, and with two cookies of any kind.
     */
    async follow(request: Pick<Request, "headers">, customer: Session) {
      const guest = await unsealOnly(request);
      if (guest?.v !== 3) return undefined;
      return sealed({
        v: "followed",
        u: guest.u,
        by: digestOf(customer.userId),
        end: Math.min(clock() + followedTime, endOf(guest)),
        not: guest.not,
      });
    },
    /** The `userId` of the guest whose chats the cookie lets this customer follow, as `follow` set it. */
    async readFollowed(request: Pick<Request, "headers">, userId: string) {
      const content = await unsealOnly(request);
      return content?.v === "followed" && content.by === digestOf(userId) ? content.u : undefined;
    },
    /** The `Set-Cookie` value that deletes the guest's cookie. */
    forget: () => setCookie(cookie, "", 0),
    /**
     * The `Set-Cookie` value that names the latest chat of the guest with this tag. It outlives the page's
     * storage, and gives no access: every request for a chat asks who owns it.
     */
    rememberChat: (chatId: string, { current }: CallerTags) =>
      setCookie(lastChat, `${current}.${chatId}`, sessionLifetime / 1000),
    /** The chat that the request's cookie names for the guest with these tags, if any. */
    lastChat(request: Pick<Request, "headers">, { current, former }: CallerTags) {
      const named = cookieValues(request, lastChat.name).map((value) => value.split(".", 2));
      const [, chatId = ""] = named.find(([tag = ""]) => [current, ...former].includes(tag)) ?? [];
      return chatIdPattern.test(chatId) ? chatId : undefined;
    },
  };
}
