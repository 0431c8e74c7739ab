/** The host's own pages in the new Next apps, beside the static one that create-next-app creates. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostApp } from "./host-app.ts";

export const actionPath = "/action";
const dynamicPath = "/dynamic";
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
