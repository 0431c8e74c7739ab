/**
 * Decides who may use the console: a browser signed in with the team key, or with the token in the address
 * that the start prints. Nothing else of a request proves that it comes from this machine, because a proxy
 * may forward it without a trace. Every page asks for the sign-in at its own address.
 */
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import { csrf } from "hono/csrf";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { ChannelApp, ChannelContext } from "../http/app.ts";
import { credential } from "../http/credentials.ts";
import { readBytes } from "../http/request-body.ts";
import { errorPage, signInPage } from "./layout.ts";

export interface AccessDeps {
  app: ChannelApp;
  teamKey: string;
  /** Signs in the first browser that opens it. */
  token?: string | undefined;
}

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const sessionCookie = "console-session";
const sessionLength = 12 * 60 * 60 * 1000;
/** Room for the longest message, percent-encoded. */
const formBytes = 48 * 1024;

/**
 * Options of the console's cookies. A form's `Origin` says whether the page is on https; for other requests a
 * proxy that has terminated TLS does. A client that lies about it leaves its own cookie unsent. `Lax`: a link
 * from elsewhere opens the console, whose forms are protected by `csrf`.
 */
export function cookieOptions({ req }: ChannelContext) {
  const isSecure =
    req.header("origin")?.startsWith("https:") === true || req.header("x-forwarded-proto") === "https";
  return { path: "/console", httpOnly: true, sameSite: "Lax", secure: isSecure } as const;
}

/** The page whose form was sent: `csrf` has found that it is on this origin. */
export const backToPage = (context: ChannelContext) =>
  context.redirect(context.req.header("referer") ?? "/console", 303);

export function mountAccess({ app, teamKey, token }: AccessDeps): void {
  const key = credential(teamKey);
  let unused = token === undefined ? undefined : credential(token);
  // A proxy that terminates TLS may leave another scheme in the request's address.
  const ownForms = csrf({
    origin: (origin, { req }) => origin.replace(/^https?:\/\//, "") === req.header("host"),
  });

  const startSession = (context: ChannelContext) =>
    setSignedCookie(context, sessionCookie, String(Date.now() + sessionLength), teamKey, {
      ...cookieOptions(context),
      maxAge: sessionLength / 1000,
    });

  async function guard(context: ChannelContext, next: () => Promise<void>): Promise<Response | undefined> {
    const { method } = context.req.raw;
    const { pathname, searchParams } = new URL(context.req.url);
    const candidate = method === "GET" ? searchParams.get("token") : null;
    if (candidate !== null) {
      if (unused?.isKey(candidate) === true) {
        unused = undefined;
        await startSession(context);
      }
      searchParams.delete("token");
      return context.redirect(searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`, 303);
    }
    const expiresAt = await getSignedCookie(context, teamKey, sessionCookie);
    if (Number(expiresAt || 0) > Date.now()) {
      await next();
      return undefined;
    }
    if (method !== "POST") return context.html(signInPage(), 401);
    const { teamKey: given } = await fieldsOf(context);
    // The page of a form whose session has ended asks for the sign-in.
    if (given === undefined) return backToPage(context);
    // The key's length is what makes guessing it hopeless.
    if (!key.isKey(given.trim())) return context.html(signInPage("That is not the team key."), 401);
    await startSession(context);
    return context.redirect(pathname + new URL(context.req.url).search, 303);
  }

  app.use("/console/*", pageHeaders);
  app.use("/console/*", (context, next) =>
    ownForms(context, next).catch(() => {
      throw new ChatApiError("origin_not_allowed", { message: "The form did not come from this page." });
    }),
  );
  app.use("/console/*", guard);
  app.post("/console/sign-out", (context) => {
    deleteCookie(context, sessionCookie, cookieOptions(context));
    return context.redirect("/console", 303);
  });
}

async function pageHeaders(context: ChannelContext, next: () => Promise<void>): Promise<void> {
  await next();
  // Errors are JSON by default; people get an HTML page instead.
  if (context.res.headers.get("content-type")?.includes("json") === true) {
    const headers = { "content-type": "text/html; charset=utf-8" };
    const page = String(await errorPage(context.error));
    context.res = new Response(page, { status: context.res.status, headers });
  }
  const { headers } = context.res;
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", policy);
  // With `no-referrer` the browser would send `Origin: null` with the console's own forms.
  headers.set("referrer-policy", "same-origin");
  headers.set("cross-origin-resource-policy", "same-origin");
  headers.set("cross-origin-opener-policy", "same-origin");
}

export type Fields = Record<string, string>;

/**
 * The text fields of a submitted form; of a repeated name, the last value.
 * @throws ChatApiError `payload_too_large`
 */
export async function fieldsOf({ req }: ChannelContext): Promise<Fields> {
  const text = new TextDecoder().decode(await readBytes(req.raw, formBytes));
  return Object.fromEntries(new URLSearchParams(text.replaceAll("%0D%0A", "%0A")));
}
