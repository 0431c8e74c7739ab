/**
 * Shops in other languages, made of the recipes of docs/any-language.md: each with its server, the chat
 * server and nginx in front of both, as on the page.
 */

import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { freePort } from "../../processes/free-port.ts";
import { root } from "../../processes/root.ts";
import { codeBlocks, countLines } from "../../scripts/guide.ts";
import { findOnPath, install } from "../../testing/apt-get.ts";
import { listenLocally } from "../../testing/local-server.ts";
import type { HostApp, Variables } from "./host-app.ts";
import { type Host, signInSecret } from "./hosts.ts";

const recipeLines = 25;
const blocks = codeBlocks(readFileSync(join(root, "docs", "any-language.md"), "utf8"));
const tokenCookie = { CUSTOMER_JWT_SECRET: signInSecret, CUSTOMER_COOKIE: "__Host-customer" };

interface Language {
  /** The shop's own file, beside this one. */
  shop: string;
  /** The file of the page. */
  recipe: string;
  /** A file of Debian's packages, and the packages. */
  needs: { file: string; packages: readonly string[] };
  start(port: number): string;
  /** The chat server's variables. */
  customer(port: number): Variables;
}

const languages: Readonly<Record<string, Language>> = {
  php: {
    shop: "index.php",
    recipe: "chat-customer.php",
    needs: { file: "/usr/bin/php", packages: ["php-cli"] },
    start: (port) => `/usr/bin/php -S 127.0.0.1:${port}`,
    customer: (port) => ({ CUSTOMER_URL: `http://127.0.0.1:${port}/chat-customer.php` }),
  },
  python: {
    shop: "shop.py",
    recipe: "chat_sign_in.py",
    needs: { file: "/usr/lib/python3/dist-packages/flask", packages: ["python3-flask", "python3-jwt"] },
    // Not another Python before it on the path.
    start: (port) => `/usr/bin/python3 -m flask --app shop run --port ${port}`,
    customer: () => tokenCookie,
  },
  ruby: {
    shop: "config.ru",
    recipe: "chat_sign_in.rb",
    needs: { file: "/usr/bin/rackup", packages: ["ruby", "ruby-rack", "ruby-jwt", "ruby-webrick"] },
    start: (port) => `/usr/bin/rackup --server webrick --host 127.0.0.1 --port ${port}`,
    customer: () => tokenCookie,
  },
};

export interface Parts {
  newApp(name: string): HostApp;
  /** The variables of a host at this address. */
  environment(url: string): Variables;
}

export async function startLanguages({ newApp, environment }: Parts): Promise<Host[]> {
  if (findOnPath("nginx") === undefined) install(["nginx"]);
  const nginx = findOnPath("nginx");
  if (nginx === undefined) {
    process.stdout.write("[languages] skipped: nginx is not installed, and cannot be\n");
    return [];
  }
  const sidecar = newApp("languages");
  await sidecar.run("npm init -y\nnpm install ../shop-chat/dist/shop-chat-[0-9]*.tgz");
  const hosts: Host[] = [];

  /** Starts the chat server and nginx, whose `location /` has these lines. */
  async function serve(name: string, pages: string, customer: Variables): Promise<void> {
    const [port, chatPort] = [await freePort(), await freePort()];
    const url = `http://localhost:${port}`;
    const chat = newApp(`languages/${name}-chat`);
    const variables = { ...environment(url), PORT: String(chatPort), TRUST_PROXY_HOPS: "1", ...customer };
    const health = "/api/chat/health/ready";
    await chat.start(
      "../node_modules/.bin/shop-chat serve",
      variables,
      `http://127.0.0.1:${chatPort}${health}`,
    );
    const proxy = newApp(`languages/${name}-proxy`);
    const lines = blocks.find(({ file }) => file === "chat.conf")?.text.replace("2429", String(chatPort));
    proxy.writeFile("nginx.conf", settings(port, `${lines}\n${pages}`));
    await proxy.start(`${nginx} -p ${proxy.folder} -c nginx.conf -e stderr`, {}, url + health);
    hosts.push({ name, kind: "language", url, pages: ["/"], isElement: true, isPlain: true });
  }

  for (const [name, { shop, recipe, needs, start, customer }] of Object.entries(languages)) {
    if (!existsSync(needs.file)) install(needs.packages);
    if (!existsSync(needs.file)) {
      process.stdout.write(`[${name}] skipped: install ${needs.packages.join(", ")}\n`);
      continue;
    }
    const app = newApp(`languages/${name}`);
    writeRecipe(app, recipe);
    copyFileSync(join(root, "e2e/integrate/languages", shop), join(app.folder, shop));
    const port = await freePort();
    const variables = { SIGN_IN_SECRET: signInSecret, CUSTOMER_JWT_SECRET: signInSecret };
    await app.start(start(port), variables, `http://127.0.0.1:${port}/`);
    const pages = `location / { proxy_pass http://127.0.0.1:${port}; proxy_set_header Host $http_host; }`;
    await serve(name, pages, customer(port));
  }

  const shop = newApp("languages/static");
  writeRecipe(shop, "chat-sign-in.js");
  copyFileSync(join(root, "e2e/integrate/languages/index.html"), join(shop.folder, "index.html"));
  const provider = await startIdentityProvider();
  const pages = `location / { root ${shop.folder}; }\nlocation /id/ { proxy_pass ${provider}/; }`;
  await serve("static", pages, {
    CUSTOMER_JWKS_URL: `${provider}/jwks.json`,
    CUSTOMER_JWT_AUDIENCE: "shop",
    CUSTOMER_COOKIE: "__Host-customer",
  });
  return hosts;
}

function writeRecipe(app: HostApp, file: string): void {
  const recipe = blocks.filter((block) => block.file === file);
  const lines = countLines(recipe);
  process.stdout.write(`[${app.name}] ${lines} lines of the host's\n`);
  if (recipe.length !== 1 || lines > recipeLines)
    throw new Error(`docs/any-language.md must have ${file} in at most ${recipeLines} lines`);
  app.write(recipe);
}

function settings(port: number, locations: string): string {
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${kind};`,
  );
  return `daemon off; pid nginx.pid; ${user} events {} http { access_log off; ${folders.join(" ")}
    types { text/html html; text/javascript js; }
    server { listen 127.0.0.1:${port};\n${locations}\n} }`;
}

/** Gives a token to everyone who asks, as a provider does after its own sign-in. Ends with this process. */
async function startIdentityProvider(): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }] };
  const server = createServer(async ({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const sub = searchParams.get("sub") ?? "";
    const token = () =>
      new SignJWT({ sub, name: `Customer ${sub}`, aud: "shop" })
        .setProtectedHeader({ alg: "ES256", kid: "one" })
        .setExpirationTime("1h")
        .sign(privateKey);
    response.end(pathname === "/jwks.json" ? JSON.stringify(jwks) : await token());
  }).unref();
  return `http://127.0.0.1:${await listenLocally(server)}`;
}
