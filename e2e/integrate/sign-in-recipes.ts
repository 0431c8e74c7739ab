/** Compiles the guide's sign-in recipes strictly, and calls each as a customer and as a guest. */
import type { CodeBlock } from "../../scripts/guide.ts";
import type { HostApp } from "./host-app.ts";

/** Replaces the host's own client of its session store. */
const redis = `export const sessions = new Map<string, string>();
export const redis = { get: async (name: string): Promise<string | null> => sessions.get(name) ?? null };
`;

const check = `import { encode } from "@auth/core/jwt";
import { sign } from "cookie-signature";
import { SignJWT } from "jose";
import { type CustomerOf, createChatServer } from "shop-chat/server";
import { sessions } from "./lib/redis.ts";
import { customerOf as ofAuthJs } from "./lib/sign-in.auth-js.ts";
import { customerOf as ofSessionStore } from "./lib/sign-in.session-store.ts";
import { customerOf as ofJwt } from "./lib/sign-in.ts";

const secret = process.env["AUTH_SECRET"] ?? "";
const cookieName = "authjs.session-token";
const authJs = await encode({ token: { sub: "42", name: "Ana" }, secret, salt: cookieName });
const jwt = await new SignJWT({ sub: "42", name: "Ana" })
  .setProtectedHeader({ alg: "HS256" })
  .sign(new TextEncoder().encode(process.env["SIGN_IN_SECRET"]));
sessions.set("sess:one", JSON.stringify({ customer: { id: 42, name: "Ana" } }));
const signed = encodeURIComponent("s:" + sign("one", process.env["SESSION_STORE_SECRET"] ?? ""));

const recipes: [string, CustomerOf, string, string][] = [
  ["Auth.js", ofAuthJs, cookieName, authJs],
  ["JWT cookie", ofJwt, "sign_in", jwt],
  ["session store", ofSessionStore, "connect.sid", signed],
];
for (const [name, customerOf, cookie, value] of recipes) {
  createChatServer({ customerOf });
  const ask = (text: string) =>
    customerOf(new Request("http://localhost:3000/api/chat/session", { headers: { cookie: text } }));
  const customer = JSON.stringify(await ask(\`theme=dark; \${cookie}=\${value}\`));
  if (customer !== '{"id":"42","name":"Ana"}') throw new Error(\`\${name}: the customer is \${customer}\`);
  for (const text of ["", \`\${cookie}=\${value.slice(0, -4)}AAAA\`, \`\${cookie}=%ff\`, \`\${cookie}=s%3A%ff\`])
    if ((await ask(text)) !== null) throw new Error(\`\${name}: "\${text}" is nobody's cookie\`);
}
`;

const compilerOptions = {
  module: "nodenext",
  target: "es2022",
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  // As in create-next-app: the declarations of @auth/core name packages that it does not install.
  skipLibCheck: true,
  types: ["node"],
};

export async function checkRecipes(app: HostApp, recipes: readonly CodeBlock[]): Promise<void> {
  await app.run(`npm init -y
npm pkg set type=module
npm install ../shop-chat/dist/shop-chat-[0-9]*.tgz jose
npm install --save-dev typescript @types/node`);
  for (const { text } of recipes.filter(({ language }) => language === "sh")) await app.run(text);
  app.write(recipes);
  app.writeFile("lib/redis.ts", redis);
  app.writeFile("check.ts", check);
  app.writeFile("tsconfig.json", JSON.stringify({ compilerOptions, include: ["**/*.ts"] }));
  await app.run("npx tsc");
  await app.run("node check.ts", {
    APP_ORIGIN: "http://localhost:3000",
    AUTH_SECRET: "integrate only: the secret of Auth.js",
    SESSION_STORE_SECRET: "integrate only: the secret of the session store",
    SIGN_IN_SECRET: "integrate only: the secret of the JWT cookie",
  });
}
