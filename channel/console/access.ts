/**
 * Decides who may use the console: a browser signed in with the team key, or with the token in the address
 * that the start prints. Nothing else of a request proves that it comes from this machine, because a proxy
 * may forward it without a trace. Forms must come from the console's own page (`Origin`).
 */
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { ChannelContext } from "../http/app.ts";
import { type Credential, credential } from "../http/credentials.ts";

const cookieName = "console-session";
const sessionLength = 12 * 60 * 60 * 1000;

/**
 * Options of the console's cookies. A form's `Origin` says whether the page is on https; for other requests a
 * proxy that has terminated TLS does. A client that lies about it leaves its own cookie unsent.
 */
export function cookieOptions({ req }: ChannelContext) {
  const isSecure =
    req.header("origin")?.startsWith("https:") === true || req.header("x-forwarded-proto") === "https";
  return { path: "/console", httpOnly: true, sameSite: "Strict", secure: isSecure } as const;
}

export interface ConsoleAccessDeps {
  teamKey: string;
  teamKeyCredential: Credential;
  /** Signs in the first browser that opens it. */
  token: string | undefined;
}

export function createConsoleAccess(deps: ConsoleAccessDeps) {
  let token = deps.token === undefined ? undefined : credential(deps.token);
  // The signature covers a cookie's value, not its name: the notice's must be none for a session.
  const secret = `${cookieName} ${deps.teamKey}`;

  async function startSession(context: ChannelContext): Promise<void> {
    await setSignedCookie(context, cookieName, String(Date.now() + sessionLength), secret, {
      ...cookieOptions(context),
      // A link from elsewhere opens the console. Its forms are protected by `requireOwnPage`.
      sameSite: "Lax",
      maxAge: sessionLength / 1000,
    });
  }

  return {
    /** Whether the request may see the console. */
    async isAllowed(context: ChannelContext): Promise<boolean> {
      const expiresAt = await getSignedCookie(context, secret, cookieName);
      return Number(expiresAt || 0) > Date.now();
    },
    /** Starts a session if the token has not been used yet. */
    async redeem(context: ChannelContext, candidate: string): Promise<void> {
      if (token?.isKey(candidate) !== true) return;
      token = undefined;
      await startSession(context);
    },
    /** Starts a session if the key is right. Its length is what makes guessing it hopeless. */
    async signIn(context: ChannelContext, key: string): Promise<boolean> {
      const isRight = deps.teamKeyCredential.isKey(key.trim());
      if (isRight) await startSession(context);
      return isRight;
    },
    signOut(context: ChannelContext): void {
      deleteCookie(context, cookieName, cookieOptions(context));
    },
  };
}

/** @throws ChatApiError `origin_not_allowed` unless the console's own page sent the form */
export function requireOwnPage(context: ChannelContext): void {
  const { headers } = context.req.raw;
  const origin = URL.parse(headers.get("origin") ?? "");
  const site = headers.get("sec-fetch-site");
  const isOwn =
    origin !== null && origin.host === headers.get("host") && (site === null || site === "same-origin");
  if (!isOwn)
    throw new ChatApiError("origin_not_allowed", { message: "The form did not come from this page." });
}
