/**
 * Who may use the console. On this machine, whoever reaches its own address: then two things a web page elsewhere can
 * do must not count as that. A page whose name is made to point here (DNS rebinding) comes with its own `Host`; a page
 * that sends a form here comes with its own `Origin`. From anywhere else, whoever has the team key.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { getCookie, setCookie } from "hono/cookie";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { ChannelContext } from "../http/app.ts";
import { isLoopback } from "../loopback.ts";

const cookieName = "console-session";
const sessionLength = 12 * 60 * 60 * 1000;

export interface ConsoleAccess {
  /** True when the request may see the console. */
  isAllowed(context: ChannelContext): boolean;
  /** Gives the browser a session, if the key is the team's. */
  signIn(context: ChannelContext, key: string): boolean;
}

/** `onLoopback`: the channel listens on this machine's own address only. */
export function createConsoleAccess(deps: {
  teamKey: string;
  requireTeamKey: (authorization: string) => void;
  onLoopback: boolean;
}): ConsoleAccess {
  const sign = (expiresAt: string) =>
    createHmac("sha256", deps.teamKey).update(`console session until ${expiresAt}`).digest("base64url");

  function hasSession(context: ChannelContext): boolean {
    const [expiresAt = "", signature = ""] = (getCookie(context, cookieName) ?? "").split(".");
    const expected = Buffer.from(sign(expiresAt));
    const given = Buffer.from(signature);
    return (
      given.length === expected.length && timingSafeEqual(given, expected) && Number(expiresAt) > Date.now()
    );
  }

  return {
    isAllowed: (context) => (deps.onLoopback && isFromThisMachine(context)) || hasSession(context),
    signIn(context, key) {
      try {
        deps.requireTeamKey(`Bearer ${key.trim()}`);
      } catch (error) {
        if (error instanceof ChatApiError) return false;
        throw error;
      }
      const expiresAt = String(Date.now() + sessionLength);
      setCookie(context, cookieName, `${expiresAt}.${sign(expiresAt)}`, {
        httpOnly: true,
        sameSite: "Strict",
        path: "/console",
        secure: new URL(context.req.url).protocol === "https:",
        maxAge: sessionLength / 1000,
      });
      return true;
    },
  };
}

/** @throws ChatApiError `origin_not_allowed` unless the form came from the console's own page. */
export function requireOwnPage(context: ChannelContext): void {
  const { headers } = context.req.raw;
  const origin = URL.parse(headers.get("origin") ?? "");
  const site = headers.get("sec-fetch-site");
  const isOwn =
    origin !== null && origin.host === headers.get("host") && (site === null || site === "same-origin");
  if (!isOwn)
    throw new ChatApiError("origin_not_allowed", { message: "The form did not come from this page." });
}

function isFromThisMachine(context: ChannelContext): boolean {
  const { headers } = context.req.raw;
  const host = URL.parse(`http://${headers.get("host") ?? ""}`)?.hostname.replace(/^\[|\]$/g, "") ?? "";
  // A proxy on this machine would let everybody in: it shows itself by what it adds.
  const isForwarded = ["forwarded", "via", "x-forwarded-for", "x-real-ip"].some((name) => headers.has(name));
  const peer = context.env.incoming?.socket.remoteAddress;
  return isLoopback(host) && !isForwarded && (peer === undefined || isLoopback(peer));
}
