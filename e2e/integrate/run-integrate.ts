/**
 * `npm run test:integrate`: packs the kit twice, creates new apps from the code blocks of docs/integrate.md,
 * builds and lints them, and tests the chat in a browser on each. Arguments name the only apps to run;
 * `--keep` keeps the folder.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "../../processes/free-port.ts";
import { root } from "../../processes/root.ts";
import { type CodeBlock, codeBlocks, countLines } from "../../scripts/guide.ts";
import { lowestPeers } from "../../scripts/package/manifest.ts";
import { TestEnvironment } from "../../testing/processes/test-environment.ts";
import { testKeys } from "../../testing/test-keys.ts";
import { HostApp, type Variables } from "./host-app.ts";
import { type Host, signInSecret } from "./hosts.ts";
import { startLanguages } from "./languages.ts";
import {
  accountPath,
  addPages,
  addServerActionSignIn,
  checkRendering,
  fontEnvironment,
  nextPages,
} from "./next-pages.ts";
import {
  callPackedChannel,
  checkOpenApiTypes,
  checkPackage,
  compilerOptions,
  runExampleTests,
} from "./package-checks.ts";
import { tryRuntimes } from "./runtimes.ts";
import { checkRecipes } from "./sign-in-recipes.ts";
import { skillCommands, testWithChannel } from "./skills.ts";

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const keeps = process.argv.includes("--keep");
const hostLines = 25;
/** The oldest Node that the server supports. */
const oldestServerNode = "22.19";
/** A Node that Next supports, but the server does not. */
const tooOldNode = "20";

/** Modules of the copied folders that replace those of the package. */
const imports = {
  server: "@/lib/bff/server",
  next: "@/lib/bff/next",
  react: "@/components/chat/chat-widget",
};

/** Options that TypeScript's `strict` leaves out. */
const strictest = [
  "--exactOptionalPropertyTypes",
  "--noFallthroughCasesInSwitch",
  "--noImplicitOverride",
  "--noImplicitReturns",
  "--noUncheckedIndexedAccess",
  "--noUnusedLocals",
  "--noUnusedParameters",
  "--verbatimModuleSyntax",
];

const nextProgram = "node_modules/next/dist/bin/next";
const folder = mkdtempSync(join(tmpdir(), "shop-chat-integrate-"));
const guide = codeBlocks(readFileSync(join(root, "docs", "integrate.md"), "utf8"));
const apps: HostApp[] = [];
const hosts: Host[] = [];
const nodes: Record<string, Promise<string>> = {};
let environment: TestEnvironment | undefined;
/** The command that `execute` is running. */
let running: ChildProcess | undefined;
let failed = true;
// The apps have process groups of their own and would outlive this process.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    running?.kill("SIGINT");
    await cleanUp();
    process.exit(1);
  });

/** The parts by the names that arguments select, the longest first. */
const tasks: Record<string, () => Promise<void>> = {
  next: makeNext,
  examples: startExamples,
  copied: makeCopied,
  runtimes: () =>
    tryRuntimes({
      app: newApp("runtimes"),
      channelUrl: channelOfRun().channelUrl,
      nodeOf,
      environment: hostVariables,
      signIn: signIn(),
    }),
  package: async () => checkPackage(newApp("package"), [await nodeOf("22"), await nodeOf("24")]),
  express: () => makeNodeApp("Express", oldestServerNode),
  hono: () => makeNodeApp("Hono"),
  astro: () => makeBuiltApp("Astro", { build: "npx astro build", start: "node dist/server/entry.mjs" }),
  "react-router": () =>
    makeBuiltApp("React Router", {
      build: "npx react-router build",
      start: "npx react-router-serve build/server/index.js",
      isElement: false,
    }),
  channel: async () => {
    for (const version of ["22", "24"])
      await callPackedChannel(newApp(`channel-${version}`), await nodeOf(version));
  },
  languages: async () => void hosts.push(...(await startLanguages({ newApp, environment: hostVariables }))),
  skills: executeSkills,
  client: makeConsumer,
  "sign-in": () => checkRecipes(newApp("sign-in"), [...section("Sign-in"), ...signIn()]),
  openapi: () => checkOpenApiTypes(newApp("openapi"), channelOfRun().channelUrl),
};
const isWanted = (name: string) =>
  wanted.length === 0 || wanted.some((each) => each === name || each.startsWith(`${name}/`));
const waiting = Object.keys(tasks).filter(isWanted);

try {
  await packTwice();
  cpSync(join(root, "dist"), join(folder, "shop-chat", "dist"), {
    recursive: true,
    filter: (path) => !path.includes("dist/package"),
  });
  const channelPort = await freePort();
  process.env["E2E_CHANNEL_PORT"] = String(channelPort);
  environment = await TestEnvironment.startWithoutShop({ channelPort });
  await Promise.all(Array.from({ length: 2 }, executeTasks));
  // In the folder of the Express example, too.
  if (isWanted("test-with-channel"))
    await runExampleTests(copyExample("test-with-channel"), copyExample("express"));
  if (hosts.length > 0) await play();
  failed = false;
} finally {
  await cleanUp();
}
process.exit(failed ? 1 : 0);

async function cleanUp(): Promise<void> {
  for (const app of apps) app.stop();
  await environment?.stop();
  if (keeps) console.log(`The apps are kept in ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

/** Two run side by side: much of their time they wait for the registry, or use one core. */
async function executeTasks(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await tasks[name]?.();
}

function channelOfRun(): TestEnvironment {
  if (environment === undefined) throw new Error("The channel does not run");
  return environment;
}

function newApp(name: string): HostApp {
  const app = new HostApp(name, join(folder, name));
  apps.push(app);
  return app;
}

/** Fails unless one source gives one package. */
async function packTwice(): Promise<void> {
  const packed = () => readFileSync(join(root, "dist", "shop-chat.tgz"));
  await execute(process.execPath, ["scripts/package.ts"], root);
  const first = packed();
  await execute("npm", ["run", "-s", "package"], root);
  if (!packed().equals(first)) throw new Error("The package of the same source differs");
}

async function makeNext(): Promise<void> {
  const shop = await createNextApp("my-shop");
  const blocks = section("Next").filter(({ file }) => file !== undefined);
  shop.write(blocks);
  const lines = countLines(blocks.filter(({ file }) => !file?.startsWith(".env")));
  console.log(`[next] ${lines} lines of the host's`);
  if (lines > hostLines) throw new Error(`The guide asks for ${lines} lines, more than ${hostLines}`);
  const fonts = await fontEnvironment(folder);
  await buildAndServe(shop, "next", fonts);
  await serveChangedHosts(shop, fonts);
  await checkTooOldNode(shop, fonts);
}

/** The same host with a sign-in by server actions, alone and with two configuration problems. */
async function serveChangedHosts(shop: HostApp, variables: Variables): Promise<void> {
  const changed = newApp("next-server-actions");
  cpSync(shop.folder, changed.folder, { recursive: true, verbatimSymlinks: true });
  addServerActionSignIn(changed);
  await changed.run(`node ${nextProgram} build --turbopack`, variables);
  const command = (port: number) => `node ${nextProgram} start -p ${port}`;
  await serve(changed, command, { kind: "server_actions", pages: [accountPath] });
  const problems = { unconfigured: { CHAT_KEY: "" }, wrong_origin: { APP_ORIGIN: "https://shop.example" } };
  for (const kind of ["unconfigured", "wrong_origin"] as const) {
    const copy = newApp(`next-${kind}`);
    cpSync(changed.folder, copy.folder, { recursive: true, verbatimSymlinks: true });
    await serve(copy, command, { kind, pages: [accountPath], env: problems[kind] });
  }
}

/**
 * A Next host on a Node that the chat does not support keeps running, and its chat names the cause: with a
 * build of this Node, which the shop's folder holds, and with a separate one.
 */
async function checkTooOldNode(shop: HostApp, variables: Variables): Promise<void> {
  const next = `${await nodeOf(tooOldNode)} ${nextProgram}`;
  for (const builtOn of ["this Node", "the old Node"]) {
    if (builtOn === "the old Node") await shop.run(`${next} build --turbopack`, variables);
    const { port, url, env } = await settings();
    await shop.start(`${next} start -p ${port}`, env, url);
    for (const path of nextPages) {
      const { status } = await fetch(url + path);
      if (status !== 200) throw new Error(`[${shop.name}] ${path} answered ${status}, built on ${builtOn}`);
    }
    const response = await fetch(`${url}/api/chat/session`, { method: "POST", body: "{}" });
    if (response.status !== 503) throw new Error(`[${shop.name}] the chat answered ${response.status}`);
    if (!shop.output.includes(`Node.js must be ${oldestServerNode} or newer`))
      throw new Error(`[${shop.name}] does not name the cause:\n${shop.output}`);
    shop.stop();
  }
}

/** Makes the Next app with the copied folders instead of the package. */
async function makeCopied(): Promise<void> {
  const shop = await createNextApp("my-copied-shop");
  const [archive, ...installs] = section("Copying instead").filter(({ language }) => language === "sh");
  if (archive === undefined) throw new Error("The guide does not say how to copy");
  await execute("bash", ["-c", archive.text.replace("../my-shop", shop.folder)], root);
  for (const { text } of installs) await shop.run(text);
  const renamed = section("Next").map((block) => ({ ...block, text: withFolders(block.text) }));
  shop.write([...renamed, ...section("Copying instead")].filter(({ file }) => file !== undefined));
  for (const version of ["5.9", "6", "7"]) {
    const compiler = newApp(`typescript-${version}`);
    await compiler.run(`npm init -y\nnpm install typescript@${version}`);
    const tsc = join(compiler.folder, "node_modules/typescript/bin/tsc");
    await shop.run(`node ${tsc} --noEmit --incremental false ${strictest.join(" ")}`);
  }
  await buildAndServe(shop, "copied", await fontEnvironment(folder), ["turbopack"]);
}

function withFolders(text: string): string {
  const renamed = Object.entries(imports).reduce(
    (now, [name, path]) => now.replaceAll(`"shop-chat/${name}"`, `"${path}"`),
    text,
  );
  return renamed.replaceAll('+import "shop-chat/style.css";\n', "");
}

async function createNextApp(name: string): Promise<HostApp> {
  // `create-next-app` makes the folder.
  const app = new HostApp(name, folder);
  apps.push(app);
  const [commands] = section("Next");
  if (commands?.language !== "sh") throw new Error("The guide does not begin with commands");
  await app.run(commands.text.replaceAll("my-shop", name));
  return newApp(name);
}

async function buildAndServe(
  shop: HostApp,
  name: string,
  variables: Variables,
  bundlers: readonly ("webpack" | "turbopack")[] = ["webpack", "turbopack"],
): Promise<void> {
  addPages(shop);
  await shop.run("npm run lint -- --max-warnings 0");
  for (const bundler of bundlers) {
    const node = bundler === "webpack" ? await nodeOf(oldestServerNode) : "node";
    const next = `${node} ${nextProgram}`;
    await shop.run(`${next} build --${bundler}`, variables);
    checkRendering(shop);
    await shop.run("npx tsc --noEmit");
    const copy = newApp(`${name}-${bundler}`);
    cpSync(shop.folder, copy.folder, { recursive: true, verbatimSymlinks: true });
    await serve(copy, (port) => `${next} start -p ${port}`, { pages: nextPages });
  }
}

/** The program of another Node, from the npm registry. */
function nodeOf(version: string): Promise<string> {
  nodes[version] ??= (async () => {
    const app = newApp(`node-${version}`);
    await app.run(`npm init -y\nnpm install node@${version}`);
    return join(app.folder, "node_modules", ".bin", "node");
  })();
  return nodes[version];
}

/** @param version The Node to run it on; this one by default. */
async function makeNodeApp(heading: "Express" | "Hono", version?: string): Promise<void> {
  const name = heading.toLowerCase();
  const app = newApp(name);
  for (const { text } of section(heading).filter(({ language }) => language === "sh")) await app.run(text);
  const page = section("Any page").filter(({ file }) => file !== undefined);
  app.write([...section(heading), ...signIn(), ...page]);
  // A strict policy: no inline code and no other origins. A violation is logged as a console error, which
  // fails the test.
  const policy =
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' blob:; base-uri 'none'";
  const tag = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  const html = readFileSync(join(app.folder, "public/index.html"), "utf8");
  app.writeFile("public/index.html", html.replace("<head>", `<head>\n    ${tag}`));
  const node = version === undefined ? "node" : await nodeOf(version);
  await serve(app, () => `${node} server.ts`, { pages: ["/"], isElement: true });
}

/** An app of the guide's section that is built before it starts. */
async function makeBuiltApp(
  heading: "Astro" | "React Router",
  { build, start, isElement = true }: { build: string; start: string; isElement?: boolean },
): Promise<void> {
  const app = newApp(heading.toLowerCase().replace(" ", "-"));
  for (const { text } of section(heading).filter(({ language }) => language === "sh")) await app.run(text);
  app.write([...section(heading), ...signIn()]);
  await app.run(build);
  await serve(app, () => start, { pages: ["/"], isElement, isPlain: true });
}

async function serve(
  app: HostApp,
  command: (port: number) => string,
  {
    kind = "complete",
    pages,
    isElement = false,
    isPlain = isElement,
    env: changed = {},
  }: Partial<Host> & Pick<Host, "pages"> & { env?: Variables },
): Promise<void> {
  const { port, url, env } = await settings();
  const health = `${url}/api/chat/health/${kind === "unconfigured" ? "live" : "ready"}`;
  await app.start(command(port), { ...env, ...changed }, health);
  hosts.push({ name: app.name, kind, url, pages, isElement, isPlain });
}

/**
 * Installs and starts each folder of examples/, beside a copy of the package. The one for Next gets the
 * oldest of its libraries that the package allows; the guide's app has the newest.
 */
async function startExamples(): Promise<void> {
  const examples: Record<string, Pick<Host, "kind" | "isElement">> = {
    next: { kind: "complete", isElement: false },
    "next-auth": { kind: "server_actions", isElement: false },
    express: { kind: "complete", isElement: true },
    hono: { kind: "complete", isElement: true },
    "any-page": { kind: "complete", isElement: true },
    headless: { kind: "headless", isElement: false },
    "assistant-ui": { kind: "assistant_ui", isElement: false },
  };
  const lowest = Object.entries(lowestPeers).map(([name, version]) => `${name}@${version}`);
  const named = wanted.filter((each) => each.startsWith("examples/"));
  for (const [name, host] of Object.entries(examples)) {
    if (named.length > 0 && !named.includes(`examples/${name}`)) continue;
    const isNext = name.startsWith("next");
    const packages = name === "next" ? `npm install ${lowest.join(" ")}\n` : "";
    await serveExample(copyExample(name), isNext ? `${packages}npm run build` : "true", host);
  }
}

async function serveExample(
  app: HostApp,
  build: string,
  host: Pick<Host, "kind" | "isElement">,
): Promise<void> {
  await app.run(`npm install\n${build}`);
  await serve(app, () => "npm start", { ...host, pages: ["/"], isPlain: true });
}

/** Follows the guides for coding agents: one in an empty app, the other with its own channel. */
async function executeSkills(): Promise<void> {
  const app = newApp("skill");
  await app.run("npm init -y\nnpm pkg set type=module\nnpm install express jose");
  for (const text of skillCommands("add-shop-chat")) await app.run(text, { REPOSITORY: root });
  await serve(app, () => "node server.ts", { pages: ["/"], isElement: true });
  await testWithChannel(newApp("skill-tests"));
}

function copyExample(name: string, folderName = name): HostApp {
  const app = newApp(`shop-chat/examples/${folderName}`);
  cpSync(join(root, "examples", "local.env"), join(folder, "shop-chat", "examples", "local.env"));
  cpSync(join(root, "examples", name), app.folder, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|\.next|dist|package-lock\.json)$/.test(path),
  });
  return app;
}

/** The address of an app, and the variables that the guide names. */
async function settings(): Promise<{ port: number; url: string; env: Variables }> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { ...hostVariables(url), PORT: String(port) };
  requireVariables(Object.keys(env));
  return { port, url, env };
}

function hostVariables(url: string): Variables {
  const { channelUrl, channelKey, chatKey } = channelOfRun();
  return {
    NODE_ENV: "production",
    APP_ORIGIN: url,
    CHAT_BASE_URL: channelUrl,
    CHAT_CHANNEL_KEY: channelKey,
    CHAT_KEY: chatKey,
    SESSION_SECRET: testKeys.sessionSecret,
    SIGN_IN_SECRET: signInSecret,
    AUTH_SECRET: signInSecret,
  };
}

/** Fails unless the apps get every variable that the guide names. */
function requireVariables(given: readonly string[]): void {
  const named = guide
    .filter(({ file }) => file?.startsWith(".env"))
    .flatMap(({ text }) => Array.from(text.matchAll(/^(\w+)=/gm), ([, name = ""]) => name));
  const missing = named.filter((name) => !given.includes(name));
  if (missing.length > 0) throw new Error(`The guide names variables that the tests do not set: ${missing}`);
}

/**
 * A program with the client, compiled with TypeScript's strictest options and run on this Node and on the
 * oldest that the client supports.
 */
async function makeConsumer(): Promise<void> {
  const { channelUrl, channelKey, chatKey } = channelOfRun();
  const app = newApp("client");
  await app.run(`npm init -y
npm pkg set type=module
npm install ../shop-chat/dist/shop-chat-[0-9]*.tgz
npm install --save-dev typescript @types/node@20`);
  const channel = `${channelUrl}/v1/channels/${channelKey}`;
  const blocks = section("The client alone").map((block) => ({
    ...block,
    text: block.text.replace("https://chat.example.com/v1/channels/dep_…", channel).replace("ck_…", chatKey),
  }));
  app.write(blocks);
  // Compiled to JavaScript, which a Node that runs no TypeScript can run.
  const options = { ...compilerOptions, noPropertyAccessFromIndexSignature: true, noEmit: false };
  app.writeFile("tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
  await app.run("npx tsc");
  const program =
    'const { ask } = await import("./ask.js"); if ((await ask("hello")).length < 3) process.exit(1);';
  for (const node of ["node", await nodeOf(tooOldNode)])
    await app.run(`${node} --version && ${node} --input-type=module --eval '${program}'`);
  const { sessionSecret } = testKeys;
  const names = { CHAT_BASE_URL: channelUrl, CHAT_CHANNEL_KEY: channelKey, CHAT_KEY: chatKey };
  const lines = Object.entries({ ...names, SESSION_SECRET: sessionSecret }).map((line) => line.join("="));
  app.writeFile(".env.local", lines.join("\n"));
  await app.run("npx shop-chat doctor\n! CHAT_KEY=ck_of_another_agent npx shop-chat doctor");
}

/** The JWT sign-in, from the guide's section on Next. */
function signIn(): CodeBlock[] {
  return section("Next").filter(({ file }) => file === "lib/sign-in.ts");
}

function section(heading: string): CodeBlock[] {
  const blocks = guide.filter((block) => block.section === heading);
  if (blocks.length === 0) throw new Error(`The guide has no code blocks below "${heading}"`);
  return blocks;
}

async function play(): Promise<void> {
  writeFileSync(join(folder, "hosts.json"), JSON.stringify(hosts));
  const env = { ...process.env, E2E_HOSTS: JSON.stringify(hosts) };
  await execute(process.execPath, ["scripts/test-browser.ts", "integrate"], root, env);
}

async function execute(
  command: string,
  args: readonly string[],
  cwd: string,
  env = process.env,
): Promise<void> {
  running = spawn(command, args, { cwd, env, stdio: "inherit" });
  const [status] = await once(running, "close");
  running = undefined;
  if (status === 0) return;
  const logs = join(root, "test-results", "integrate-apps");
  for (const { name, output } of apps) {
    const file = join(logs, `${name}.log`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, output);
  }
  console.log(`What the apps have printed is in ${logs}`);
  throw new Error(`${command} ${args.join(" ")} failed`);
}
