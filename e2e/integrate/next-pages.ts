/** The host's own pages in the new Next apps, beside the static one that create-next-app creates. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostApp, Variables } from "./host-app.ts";

export const actionPath = "/action";
const dynamicPath = "/dynamic";
/** Signs in and out by server actions, beside the open chat. */
export const accountPath = "/account";
export const nextPages = ["/", dynamicPath, actionPath];

/** Rendered for each request. */
const dynamicPage = `import { Suspense } from "react";
import { connection } from "next/server";

async function Now() {
  await connection();
  return <p>{new Date().toISOString()}</p>;
}

export default function Page() {
  return (
    <Suspense>
      <Now />
    </Suspense>
  );
}
`;

/** A server action of the host, unrelated to the chat. */
const actionPage = `import { redirect } from "next/navigation";

async function subscribe(form: FormData) {
  "use server";
  redirect("${dynamicPath}?subscribed=" + String(form.get("email")));
}

export default function Page() {
  return (
    <form action={subscribe}>
      <input aria-label="Newsletter" name="email" />
      <button>Subscribe</button>
    </form>
  );
}
`;

export function addPages(app: HostApp): void {
  app.writeFile("app/dynamic/page.tsx", dynamicPage);
  app.writeFile("app/action/page.tsx", actionPage);
}

/** The chat must not make a static page dynamic. */
export function checkRendering(app: HostApp): void {
  const file = join(app.folder, ".next", "prerender-manifest.json");
  const { routes }: { routes: Record<string, object> } = JSON.parse(readFileSync(file, "utf8"));
  for (const path of ["/", actionPath])
    if (routes[path] === undefined) throw new Error(`[${app.name}] ${path} is not prerendered`);
}

const accountPage = `import { SignJWT } from "jose";
import { cookies } from "next/headers";
import Link from "next/link";

async function signIn(form: FormData) {
  "use server";
  const token = await new SignJWT({ name: "Customer" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(String(form.get("customer")))
    .sign(new TextEncoder().encode(process.env.SIGN_IN_SECRET));
  (await cookies()).set("sign_in", token, { httpOnly: true });
}

async function signOut() {
  "use server";
  (await cookies()).delete("sign_in");
}

export default function Page() {
  return (
    <>
      <form action={signIn}>
        <input aria-label="Customer" name="customer" />
        <button>Sign in</button>
      </form>
      <form action={signOut}>
        <button>Sign out</button>
      </form>
      <Link href="${dynamicPath}">Elsewhere</Link>
    </>
  );
}
`;

/** `cookies()` has the cookie that the action sets; `headers()` in the same response has the former one. */
const signedInChat = `import { cookies } from "next/headers";
import { ChatWidget } from "shop-chat/react";
import { customerOf } from "@/lib/sign-in";

export async function SignedInChat() {
  const cookie = (await cookies()).toString();
  const customer = await customerOf(new Request("http://localhost", { headers: { cookie } }));
  return <ChatWidget customer={customer?.id ?? null} agentName="Wren" shopName="Tarn & Tread" />;
}
`;

/** Adds a sign-in by server actions, and tells the widget who is signed in. */
export function addServerActionSignIn(app: HostApp): void {
  app.writeFile("app/account/page.tsx", accountPage);
  app.writeFile("app/signed-in-chat.tsx", signedInChat);
  const layout = readFileSync(join(app.folder, "app/layout.tsx"), "utf8")
    .replace(
      'import { ChatWidget } from "shop-chat/react";',
      'import { SignedInChat } from "./signed-in-chat";',
    )
    .replace('import "./globals.css";', 'import { Suspense } from "react";\nimport "./globals.css";')
    .replace(/<ChatWidget .*\/>/, "<Suspense><SignedInChat /></Suspense>");
  app.writeFile("app/layout.tsx", layout);
}

const families = { Geist: "Geist", "Geist Mono": "Geist+Mono" };

/**
 * The build of an app from `create-next-app` downloads fonts from Google. Where Google cannot be reached,
 * Next's own switch for tests supplies them, so that the app stays unchanged.
 */
export async function fontEnvironment(folder: string): Promise<Variables> {
  const isReachable = await fetch("https://fonts.googleapis.com/", {
    signal: AbortSignal.timeout(3_000),
  }).then(
    () => true,
    () => false,
  );
  if (isReachable) return {};
  const answers = Object.entries(families).map(([family, name]) => [
    `https://fonts.googleapis.com/css2?family=${name}:wght@100..900&display=swap`,
    `@font-face { font-family: '${family}'; src: local('sans-serif'); }`,
  ]);
  const file = join(folder, "google-fonts.cjs");
  writeFileSync(file, `module.exports = ${JSON.stringify(Object.fromEntries(answers))};\n`);
  return { NEXT_FONT_GOOGLE_MOCKED_RESPONSES: file };
}
