/** Entry points of the package: the name after `shop-chat/` and its source. */
export const entries = {
  server: "lib/bff/server.ts",
  next: "lib/bff/next.ts",
  node: "lib/bff/node.ts",
  pages: "lib/bff/pages.ts",
  client: "lib/chat-client/public.ts",
  react: "components/chat/react.tsx",
  headless: "lib/engine/headless.ts",
  testing: "lib/engine/testing/public.ts",
  strings: "components/chat/i18n/check.ts",
} as const;

/** The source of the package's command, `npx shop-chat`. */
export const command = "scripts/command.ts";
