/**
 * Decides who may use the console. If the channel listens on loopback only, requests from this machine need
 * no key. All others need the team key, including those whose `Host` is not loopback (DNS rebinding) and
 * those that a proxy forwarded. Forms must come from the console's own page (`Origin`).
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { isIPv6 } from "node:net";
import { getCookie, setCookie } from "hono/cookie";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { isLoopback } from "../base/loopback.ts";
import type { ChannelContext } from "../http/app.ts";

const cookieName = "console-session";
const sessionLength = 12 * 60 * 60 * 1000;
/** Allowed wrong keys per network (`networkOf`); `duration` is in seconds. */
const signInAttempts = { points: 5, duration: 60 };
const ipv6Groups = 8;

type SignIn = { kind: "signed_in" } | { kind: "wrong_key" } | { kind: "wait"; seconds: number };

/** `onLoopback`: the channel listens on loopback only. */
export function createConsoleAccess(deps: {
  teamKey: string;
  requireTeamKey: (authorization: string) => void;
  onLoopback: boolean;
}) {
  const sign = (expiresAt: string) =>
    createHmac("sha256", deps.teamKey).update(`console session until ${expiresAt}`).digest("base64url");

  const attempts = new RateLimiterMemory(signInAttempts);

  function isTeamKey(key: string): boolean {
    try {
      deps.requireTeamKey(`Bearer ${key.trim()}`);
      return true;
    } catch (error) {
      if (error instanceof ChatApiError) return false;
      throw error;
    }
  }

  function hasSession(context: ChannelContext): boolean {
    const [expiresAt = "", signature = ""] = (getCookie(context, cookieName) ?? "").split(".");
    const expected = Buffer.from(sign(expiresAt));
    const given = Buffer.from(signature);
    return (
      given.length === expected.length && timingSafeEqual(given, expected) && Number(expiresAt) > Date.now()
    );
  }

  return {
    /** Whether the request may see the console. */
    isAllowed: (context: ChannelContext) =>
      (deps.onLoopback && isFromThisMachine(context)) || hasSession(context),
    /** Starts a session if the key is right and its network has not made too many wrong attempts. */
    async signIn(context: ChannelContext, key: string): Promise<SignIn> {
      const network = networkOf(context.env.incoming?.socket.remoteAddress ?? "");
      // Counted before the comparison, so that parallel requests count as well.
      const refused = await attempts.consume(network).then(
        () => null,
        (reason: unknown) => {
          if (reason instanceof RateLimiterRes) return reason;
          throw reason;
        },
      );
      if (refused !== null)
        return { kind: "wait", seconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)) };
      if (!isTeamKey(key)) return { kind: "wrong_key" };
      await attempts.delete(network);
      const expiresAt = String(Date.now() + sessionLength);
      setCookie(context, cookieName, `${expiresAt}.${sign(expiresAt)}`, {
        httpOnly: true,
        sameSite: "Strict",
        path: "/console",
        // Follows the page's origin (`requireOwnPage`), because a proxy may have terminated TLS.
        secure: context.req.header("origin")?.startsWith("https:") === true,
        maxAge: sessionLength / 1000,
      });
      return { kind: "signed_in" };
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

/** An IPv4 address, or the /64 prefix of an IPv6 address: one client can vary the rest at will. */
function networkOf(address: string): string {
  // IPv6 sockets report IPv4 peers with dots.
  if (!isIPv6(address) || address.includes(".")) return address;
  const missing = ipv6Groups - address.split(":").filter((group) => group !== "").length;
  const groups = address.replace("::", `:${"0:".repeat(missing)}`).split(":");
  return groups.slice(0, ipv6Groups / 2).join(":");
}

function isFromThisMachine(context: ChannelContext): boolean {
  const { headers } = context.req.raw;
  const host = URL.parse(`http://${headers.get("host") ?? ""}`)?.hostname.replace(/^\[|\]$/g, "") ?? "";
  // A local reverse proxy makes every request look local. Its forwarding headers reveal it.
  const isForwarded = ["forwarded", "via", "x-forwarded-for", "x-real-ip"].some((name) => headers.has(name));
  const peer = context.env.incoming?.socket.remoteAddress;
  return isLoopback(host) && !isForwarded && (peer === undefined || isLoopback(peer));
}
