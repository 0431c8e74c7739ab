"use server";

/**
 * The demo's sign-in and sign-out. Next compares the `Origin` of their requests with the `Host`, and renders
 * the page again, because they change a cookie.
 */
import { cookies } from "next/headers";
import { endSession, sessionCookie, startSession } from "#lib/shop/server/sign-in.ts";
import { shopOrigin } from "../shop-origin.ts";

/** Resolves with what the customer reads if the sign-in failed. */
export async function signIn(_before: string | undefined, form: FormData): Promise<string | undefined> {
  const session = startSession(form.get("customer"));
  if (session === undefined) return "There is no such customer.";
  await signOut();
  const { name, seconds } = sessionCookie;
  // A proxy may have terminated TLS, so the page's origin decides.
  const secure = shopOrigin().startsWith("https:");
  (await cookies()).set(name, session, { maxAge: seconds, httpOnly: true, sameSite: "lax", secure });
  return undefined;
}

export async function signOut(): Promise<undefined> {
  const jar = await cookies();
  const session = jar.get(sessionCookie.name)?.value;
  if (session !== undefined) endSession(session);
  jar.delete(sessionCookie.name);
}
