/**
 * The session: who is calling. A sealed cookie whose content never changes after it was made, so that two tabs
 * cannot overwrite each other and nothing about it needs a database.
 */
import { createHash } from "node:crypto";
import { sealData, unsealData } from "iron-session";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { createEndedSessions } from "./ended-sessions.ts";
import type { Config } from "./env.ts";
import { userIdPattern } from "./identity.ts";

/** `__Host-`: a neighbouring subdomain cannot plant it. `Http-`: nor can a script, in browsers that know the prefix. */
export const sessionCookieName = "__Host-Http-chat";

/**
 * On plain http, which is this machine alone (`APP_ORIGIN`). WebKit keeps no `Secure` cookie there, and without
 * `Secure` no browser keeps one with the prefix.
 */
const loopbackCookieName = "chat";

/** As long as the Chat API keeps the key that created a chat (specification, "General rules", 5). */
export const sessionLifetime = 30 * 24 * 60 * 60 * 1000;

const cachedSessions = 10_000;
/** Ours has about 300 characters. A longer one is not ours and not worth the work of unsealing. */
const maxSealLength = 1_024;

const SessionContent = z.strictObject({
  v: z.literal(1),
  /** The chats' `userId`. */
  u: z.string().regex(userIdPattern),
  /** Milliseconds since 1970. */
  iat: z.int().positive(),
});

export interface Session {
  /** The customer, as the Chat API knows them. A signed-in customer has one on all their devices. */
  userId: string;
  /** This one session of theirs: nobody sees it outside the BFF. */
  seal: string;
  expiresAt: number;
}

export interface Sessions {
  /** Undefined without a cookie and for every cookie that is not a session: forged, cut, expired, planted. */
  read(request: Request): Promise<Session | undefined>;
  /** The `Set-Cookie` value that starts a session for this customer. */
  start(userId: string): Promise<string>;
  /** Ends the session, where there is one, here and in the browser: a copy of the cookie is worth nothing afterwards. */
  end(session: Session | undefined): string;
}

/**
 * iron-session finds the secret by a number inside the seal. Numbering by position would make every cookie
 * unreadable at the end of a rotation, when the new secret moves to the place of the old one: so the number comes
 * from the secret itself.
 */
function secretId(secret: string): string {
  return String(createHash("sha256").update(secret).digest().readUInt32BE(0));
}

function setCookie(value: string, maxAgeSeconds: number, isSecure: boolean): string {
  const name = isSecure ? sessionCookieName : loopbackCookieName;
  const secure = isSecure ? " Secure;" : "";
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly;${secure} SameSite=Strict`;
}

/** The seal in the `Cookie` header. With two of the name none can be believed. */
function readSeal(cookieHeader: string | null, isSecure: boolean): string | undefined {
  const prefix = `${isSecure ? sessionCookieName : loopbackCookieName}=`;
  const values = (cookieHeader ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  const [value] = values;
  return values.length === 1 && value !== "" && (value?.length ?? 0) <= maxSealLength ? value : undefined;
}

export function createSessions(
  config: Pick<Config, "appOrigin" | "sessionSecrets">,
  clock: () => number = Date.now,
): Sessions {
  const passwords = Object.fromEntries(config.sessionSecrets.map((secret) => [secretId(secret), secret]));
  const [current] = config.sessionSecrets;
  const sealing = { [secretId(current)]: current };
  const ttl = sessionLifetime / 1000;
  const isSecure = config.appOrigin.startsWith("https:");

  // Unsealing costs more than all the rest of a read; a seal's content never changes.
  const unsealed = new LRUCache<string, Session>({ max: cachedSessions });
  // Forgotten with the process: the browser has dropped the cookie by then, this is for copies of it.
  const ended = createEndedSessions();

  async function unseal(seal: string): Promise<Session | undefined> {
    const content = SessionContent.safeParse(
      await unsealData(seal, { password: passwords, ttl }).catch(() => null),
    );
    if (!content.success) return undefined;
    return { userId: content.data.u, seal, expiresAt: content.data.iat + sessionLifetime };
  }

  return {
    async read(request) {
      const seal = readSeal(request.headers.get("cookie"), isSecure);
      if (seal === undefined) return undefined;
      const session = unsealed.get(seal) ?? (await unseal(seal));
      if (session === undefined || session.expiresAt <= clock()) return undefined;
      unsealed.set(seal, session);
      return ended.has(session) ? undefined : session;
    },
    async start(userId) {
      const content: z.input<typeof SessionContent> = { v: 1, u: userId, iat: clock() };
      return setCookie(await sealData(content, { password: sealing, ttl }), ttl, isSecure);
    },
    end(session) {
      if (session !== undefined) ended.add(session);
      return setCookie("", 0, isSecure);
    },
  };
}
