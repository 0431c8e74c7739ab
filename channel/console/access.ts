/**
 * Decides who may use the console: a browser signed in with the team key, or with the token in the address
 * that the start prints. Nothing else of a request proves that it comes from this machine, because a proxy
 * may forward it without a trace. Forms must come from the console's own page (`Origin`).
 */
import { isIPv6 } from "node:net";
import { getSignedCookie, setSignedCookie } from "hono/cookie";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { ChannelContext } from "../http/app.ts";
import { type Credential, credential } from "../http/credentials.ts";

const cookieName = "console-session";
const sessionLength = 12 * 60 * 60 * 1000;
/** Allowed wrong keys per network (`networkOf`); `duration` is in seconds. */
const signInAttempts = { points: 5, duration: 60 };
const ipv6Groups = 8;

type SignIn = { kind: "signed_in" } | { kind: "wrong_key" } | { kind: "wait"; seconds: number };

export interface ConsoleAccessDeps {
  teamKey: string;
  teamKeyCredential: Credential;
  /** Signs in the first browser that opens it. */
  token: string | undefined;
  /** How many proxies append to `X-Forwarded-For`. */
  proxyHops: number;
}

export function createConsoleAccess(deps: ConsoleAccessDeps) {
  let token = deps.token === undefined ? undefined : credential(deps.token);
  const attempts = new RateLimiterMemory(signInAttempts);
  // The signature covers a cookie's value, not its name: the notice's must be none for a session.
  const secret = `${cookieName} ${deps.teamKey}`;

  async function startSession(context: ChannelContext): Promise<void> {
    await setSignedCookie(context, cookieName, String(Date.now() + sessionLength), secret, {
      httpOnly: true,
      // A link from elsewhere opens the console. Its forms are protected by `requireOwnPage`.
      sameSite: "Lax",
      path: "/console",
      // Follows the page's origin (`requireOwnPage`), because a proxy may have terminated TLS.
      secure: context.req.header("origin")?.startsWith("https:") === true,
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
    /**
     * Starts a session if the key is right. The key is compared first, so that wrong attempts from the same
     * network, such as a proxy, do not lock the team out.
     */
    async signIn(context: ChannelContext, key: string): Promise<SignIn> {
      const network = networkOf(callerAddress(context, deps.proxyHops));
      if (deps.teamKeyCredential.isKey(key.trim())) {
        await attempts.delete(network);
        await startSession(context);
        return { kind: "signed_in" };
      }
      try {
        await attempts.consume(network);
        return { kind: "wrong_key" };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return { kind: "wait", seconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
      }
    },
  };
}

/** The address that the outermost of the counted proxies saw; without proxies, the connection's. */
function callerAddress({ env, req }: ChannelContext, proxyHops: number): string {
  const forwarded = (req.header("x-forwarded-for") ?? "").split(",").map((address) => address.trim());
  const counted = proxyHops === 0 ? undefined : forwarded.at(-proxyHops);
  return counted || (env.incoming?.socket.remoteAddress ?? "");
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

/** An IPv4 address, or the /64 prefix of an IPv6 address: one client can vary the rest at will. */
function networkOf(address: string): string {
  // IPv6 sockets report IPv4 peers with dots.
  if (!isIPv6(address) || address.includes(".")) return address;
  const missing = ipv6Groups - address.split(":").filter((group) => group !== "").length;
  const groups = address.replace("::", `:${"0:".repeat(missing)}`).split(":");
  return groups.slice(0, ipv6Groups / 2).join(":");
}
