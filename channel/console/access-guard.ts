/** Guards the console by `access.ts` and sets the security headers of its responses. */
import { limits } from "#lib/chat-api/limits.ts";
import type { ChannelApp, ChannelContext } from "../http/app.ts";
import { type ConsoleAccessDeps, createConsoleAccess, requireOwnPage } from "./access.ts";
import { fieldsOf } from "./form-fields.ts";
import { errorPage, signInPage } from "./frameless-pages.ts";
import { isPoll } from "./pages.ts";

export interface AccessGuardDeps extends ConsoleAccessDeps {
  app: ChannelApp;
  /** Origins that the agent's pictures may come from. */
  pictureOrigins: readonly string[];
}

export function mountAccessGuard(deps: AccessGuardDeps): void {
  const { app } = deps;
  const access = createConsoleAccess(deps);
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    `img-src ${["'self'", ...deps.pictureOrigins].join(" ")}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

  app.use("/console/*", guard);
  app.use("/console", guard);
  app.post("/console/sign-in", async (context) => {
    const { key = "" } = await fieldsOf(context, limits.jsonBodyBytes);
    if (await access.signIn(context, key)) return context.redirect("/console", 303);
    return context.html(signInPage("That is not the team key."), 401);
  });
  app.post("/console/sign-out", (context) => {
    access.signOut(context);
    return context.redirect("/console/sign-in", 303);
  });
  app.get("/console/sign-in", (context) => context.html(signInPage(null)));

  async function guard(context: ChannelContext, next: () => Promise<void>): Promise<Response | undefined> {
    if (isPoll(context)) context.set("isQuiet", true);
    if (context.req.method === "POST") requireOwnPage(context);
    const token = context.req.raw.method === "GET" ? context.req.query("token") : undefined;
    if (token !== undefined) {
      await access.redeem(context, token);
      return context.redirect("/console", 303);
    }
    if (context.req.path !== "/console/sign-in" && !(await access.isAllowed(context)))
      return context.redirect("/console/sign-in", 303);
    await next();
    if (isErrorForPeople(context)) {
      const { status } = context.res;
      const page = String(await errorPage(context.error));
      context.res = new Response(page, { status, headers: { "content-type": "text/html; charset=utf-8" } });
    }
    const { headers } = context.res;
    if (!headers.has("content-security-policy")) headers.set("content-security-policy", policy);
    // With `no-referrer` the browser would send `Origin: null` with the console's own forms.
    headers.set("referrer-policy", "same-origin");
    headers.set("cross-origin-resource-policy", "same-origin");
    headers.set("cross-origin-opener-policy", "same-origin");
    return undefined;
  }
}

/** Errors are JSON by default; pages that people open get an HTML page instead. */
function isErrorForPeople({ req, res }: ChannelContext): boolean {
  return (
    req.method === "GET" &&
    res.status >= 400 &&
    res.headers.get("content-type")?.startsWith("application/json") === true
  );
}
