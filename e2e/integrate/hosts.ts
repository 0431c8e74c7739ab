/** The apps that `run-integrate.ts` has created and started, and the way their customers sign in. */
import { createHmac } from "node:crypto";
import type { BrowserContext } from "@playwright/test";

/**
 * - `complete`: follows the guide, and runs every test of a host.
 * - `server_actions`: signs customers in and out by server actions.
 * - `unconfigured`: has no chat key.
 * - `wrong_origin`: its `APP_ORIGIN` is another address.
 * - `language`: has its server in another language.
 * - `headless`, `assistant_ui`: have interfaces of their own.
 */
export type HostKind =
  | "complete"
  | "server_actions"
  | "unconfigured"
  | "wrong_origin"
  | "language"
  | "headless"
  | "assistant_ui";

export interface Host {
  name: string;
  kind: HostKind;
  url: string;
  /** Paths of the pages with the chat. */
  pages: readonly string[];
  /** The pages load `/embed.js` and no React. */
  isElement: boolean;
  /** The pages have no colours of their own. */
  isPlain: boolean;
}

export const hosts: readonly Host[] = JSON.parse(process.env["E2E_HOSTS"] ?? "[]");
export const signInSecret = "integrate only for the tests of this repository";

const encoded = (value: object | Buffer) =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString("base64url");

/** Sets the cookie of the host's own sign-in (the guide's `lib/sign-in.ts`), and nothing of the chat's. */
export async function signIn(context: BrowserContext, url: string, customerId: string): Promise<void> {
  const value = signInToken(customerId);
  await context.addCookies([{ name: "sign_in", value, url, httpOnly: true }]);
}

export function signInToken(customerId: string): string {
  const text = `${encoded({ alg: "HS256" })}.${encoded({ sub: customerId, name: `Customer ${customerId}` })}`;
  const signature = createHmac("sha256", signInSecret).update(text).digest();
  return `${text}.${encoded(signature)}`;
}

export async function signOut(context: BrowserContext): Promise<void> {
  await context.clearCookies({ name: "sign_in" });
}
