/**
 * Decides who may use the console: a browser signed in with the team key, or with the token in the address
 * that the start prints. Nothing else of a request proves that it comes from this machine, because a proxy
 * may forward it without a trace. Forms must come from the console's own page (`Origin`).
 */
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { limits } from "#lib/chat-api/limits.ts";
import type { ChannelApp, ChannelContext } from "../http/app.ts";
import { credential } from "../http/credentials.ts";
import { readBytes } from "../http/request-body.ts";
import { errorPage, signInPage } from "./layout.ts";

export interface AccessDeps {
  app: ChannelApp;
  teamKey: string;
  /** Signs in the first browser that opens it. */
  token: string | undefined;
}

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const sessionCookie = "console-session";
const sessionLength = 12 * 60 * 60 * 1000;

/** A signature covers a cookie's value, not its name: no other cookie may be one of a session. */
export const secretOf = (cookie: string, teamKey: string) => `${cookie} ${teamKey}`;

/**
 * Options of the console's cookies. A form's `Origin` says whether the page is on https; for other requests a
 * proxy that has terminated TLS does. A client that lies about it leaves its own cookie unsent.
 */
export function cookieOptions({ req }: ChannelContext) {
  const isSecure =
    req.header("origin")?.startsWith("https:") === true || req.header("x-forwarded-proto") === "https";
  return { path: "/console", httpOnly: true, sameSite: "Strict", secure: isSecure } as const;
}

export function mountAccess({ app, teamKey, token }: AccessDeps): void {
  const key = credential(teamKey);
  const secret = secretOf(sessionCookie, teamKey);
  let unused = token === undefined ? undefined : credential(token);

  async function startSession(context: ChannelContext): Promise<void> {
    await setSignedCookie(context, sessionCookie, String(Date.now() + sessionLength), secret, {
      ...cookieOptions(context),
      // A link from elsewhere opens the console. Its forms are protected by `requireOwnPage`.
      sameSite: "Lax",
      maxAge: sessionLength / 1000,
    });
  }

  async function guard(context: ChannelContext, next: () => Promise<void>): Promise<Response | undefined> {
    const { req } = context;
    const { pathname, searchParams } = new URL(req.url);
    if (req.raw.method === "POST") requireOwnPage(context);
    const candidate = req.raw.method === "GET" ? searchParams.get("token") : null;
    if (candidate !== null) {
      if (unused?.isKey(candidate) === true) {
        unused = undefined;
        await startSession(context);
      }
      searchParams.delete("token");
      return context.redirect(backTo(pathname, searchParams), 303);
    }
    const expiresAt = await getSignedCookie(context, secret, sessionCookie);
    if (pathname !== "/console/sign-in" && !(Number(expiresAt || 0) > Date.now())) {
      // After a form, the sign-in leads to the form's page: the address of an action has none.
      const page = req.raw.method === "GET" ? backTo(pathname, searchParams) : referringPage(context);
      const back = new URLSearchParams({ back: page });
      return context.redirect(`/console/sign-in?${back}`, 303);
    }
    await next();
    // Errors are JSON by default; pages that people open get an HTML page instead.
    if (req.raw.method === "GET" && context.res.headers.get("content-type")?.includes("json") === true) {
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
    return undefined;
  }

  app.use("/console/*", guard);
  app.get("/console/sign-in", ({ html, req }) => html(signInPage(req.query("back"))));
  app.post("/console/sign-in", async (context) => {
    const { key: given = "", back = "" } = await fieldsOf(context, limits.jsonBodyBytes);
    // The key's length is what makes guessing it hopeless.
    if (!key.isKey(given.trim())) return context.html(signInPage(back, "That is not the team key."), 401);
    await startSession(context);
    return context.redirect(isConsolePage(back) ? back : "/console", 303);
  });
  app.post("/console/sign-out", (context) => {
    deleteCookie(context, sessionCookie, cookieOptions(context));
    return context.redirect("/console/sign-in", 303);
  });
}

function backTo(pathname: string, parameters: URLSearchParams): string {
  return parameters.size === 0 ? pathname : `${pathname}?${parameters}`;
}

const isConsolePage = (path: string) => /^\/console(?:[/?]|$)/.test(path);

/** The page of the console that sent the form, by its `Referer`; by default the inbox. */
export function referringPage({ req }: ChannelContext): string {
  const referer = URL.parse(req.header("referer") ?? "");
  const isOwn = referer !== null && referer.host === req.header("host") && isConsolePage(referer.pathname);
  return isOwn ? referer.pathname + referer.search : "/console";
}

/** @throws ChatApiError `origin_not_allowed` unless the console's own page sent the form */
function requireOwnPage(context: ChannelContext): void {
  const { headers } = context.req.raw;
  const origin = URL.parse(headers.get("origin") ?? "");
  const site = headers.get("sec-fetch-site");
  const isOwn =
    origin !== null && origin.host === headers.get("host") && (site === null || site === "same-origin");
  if (!isOwn)
    throw new ChatApiError("origin_not_allowed", { message: "The form did not come from this page." });
}

export type Fields = Record<string, string>;

/**
 * The text fields of a submitted form; of a repeated name, the last value.
 * @throws ChatApiError `payload_too_large`
 */
export async function fieldsOf(
  context: ChannelContext,
  maxBytes: number = limits.collectionBodyBytes,
): Promise<Fields> {
  const text = new TextDecoder().decode(await readBytes(context.req.raw, maxBytes));
  const fields = [...new URLSearchParams(text)];
  return Object.fromEntries(fields.map(([name, value]) => [name, value.replaceAll("\r\n", "\n")]));
}
