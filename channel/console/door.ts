/** Lets in whom `access.ts` allows, and gives every answer of the console its headers. */
import type { ChannelApp, ChannelContext } from "../http/app.ts";
import { createConsoleAccess, requireOwnPage } from "./access.ts";
import { errorPage } from "./error-view.ts";
import { signInPage } from "./sign-in-view.ts";

export interface DoorDeps {
  app: ChannelApp;
  teamKey: string;
  requireTeamKey: (authorization: string) => void;
  onLoopback: boolean;
  /** Addresses that the agent's pictures may come from. */
  pictureOrigins: readonly string[];
}

export function mountDoor(deps: DoorDeps): void {
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
    const { key } = await context.req.parseBody();
    if (typeof key === "string" && access.signIn(context, key)) return context.redirect("/console", 303);
    return context.html(signInPage(true), 401);
  });
  app.get("/console/sign-in", (context) => context.html(signInPage(false)));

  async function guard(context: ChannelContext, next: () => Promise<void>): Promise<Response | undefined> {
    if (context.req.raw.headers.get("x-console") === "live" && context.req.method === "GET")
      context.set("isQuiet", true);
    if (context.req.method === "POST") requireOwnPage(context);
    const isOpen = context.req.path === "/console/sign-in" || context.req.path.startsWith("/console/assets/");
    if (!isOpen && !access.isAllowed(context)) return context.redirect("/console/sign-in", 303);
    await next();
    if (isErrorForPeople(context)) {
      const { status } = context.res;
      const page = String(await errorPage(context.error));
      context.res = new Response(page, { status, headers: { "content-type": "text/html; charset=utf-8" } });
    }
    const { headers } = context.res;
    if (!headers.has("content-security-policy")) headers.set("content-security-policy", policy);
    // Not `no-referrer`: the browser would then send `Origin: null` with the console's own forms.
    headers.set("referrer-policy", "same-origin");
    headers.set("cross-origin-resource-policy", "same-origin");
    headers.set("cross-origin-opener-policy", "same-origin");
    return undefined;
  }
}

/** What went wrong is told in the Chat API's shape by default; a page that people look at gets a page. */
function isErrorForPeople({ req, res }: ChannelContext): boolean {
  return (
    req.method === "GET" &&
    res.status >= 400 &&
    res.headers.get("content-type")?.startsWith("application/json") === true
  );
}
