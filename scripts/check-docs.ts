/**
 * Checks that commands, files, tests and environment variables named in the documents exist, that lines of
 * documents and comments have at most 110 columns, and that a docstring begins with what it describes.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../processes/root.ts";
import { codeBlocks } from "./guide.ts";

/** Output of programs (.gitignore), and folders of tools. */
const notOurs =
  /(?:^|\/)(?:\.[^/]+|node_modules|dist|coverage|test-results|playwright-report|next-env\.d\.ts)$/;

/** Finds the repository's own files without git, because a downloaded archive has none. */
function sourceFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: (path) => notOurs.test(path) }).sort();
}

const read = (path: string) => readFileSync(join(root, path), "utf8");
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, match = ""]) => match);

const findings: string[] = [];
const documents = sourceFiles("{*.md,{docs,lib,channel,components,agent,examples,skills}/**/*.md}").filter(
  // Excluded: the changelog and decisions describe the past, and the shop's pages are content.
  (path) => path !== "CHANGELOG.md" && !path.startsWith("lib/shop/") && !path.startsWith("docs/decisions/"),
);

const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
const readme = read("README.md");
for (const path of documents) {
  for (const name of matches(read(path), /npm run (?:-s )?([a-z][a-z0-9:-]*)/g))
    if (scripts[name] === undefined)
      findings.push(`${path}: \`npm run ${name}\` is no script of package.json`);
}
for (const name of Object.keys(scripts)) {
  // Only npm calls it.
  if (name === "postinstall") continue;
  const isNamed = new RegExp(`npm (?:run )?${name}(?![a-z0-9:-])`).test(readme);
  if (!isNamed) findings.push(`README.md: does not mention \`npm run ${name}\``);
}

/** Lines of the log: the chat server names its events, the channel's lines are messages. */
const code = sourceFiles("{lib,channel}/**/*.ts").map(read).join("\n");
for (const path of documents)
  for (const name of matches(read(path), /\blines? `([a-z_]+)`/g))
    if (![`event: "${name}"`, `msg: "${name}"`, `}, "${name}")`].some((line) => code.includes(line)))
      findings.push(`${path}: no program logs a line \`${name}\``);

const folders = "agent|app|bench|channel|components|docs|e2e|examples|lib|processes|public|scripts|skills";
for (const path of documents) {
  const text = read(path);
  const linked = matches(text, /\]\((?!https?:|#)([^)#]+)/g).map((target) =>
    join(dirname(path), decodeURI(target)),
  );
  const named = matches(text, new RegExp(`\`((?:${folders})/[\\w./()[\\]-]+)\``, "g"));
  for (const target of [...linked, ...named])
    if (!existsSync(join(root, target))) findings.push(`${path}: ${target} does not exist`);
}

/** Titles of tests behind their file: `file` “title”, “title”. “…” stands for what a template inserts. */
const titled = /`([\w./()[\]-]+\.(?:spec|test)\.tsx?)`((?:\s“[^”]+”,?)+)/g;
for (const path of documents)
  for (const [, file = "", titles = ""] of read(path).matchAll(titled)) {
    const source = existsSync(join(root, file)) ? read(file).replaceAll(/\$\{[^}]+\}/g, "…") : "";
    for (const title of matches(titles, /“([^”]+)”/g))
      if (![`"${title}",`, `\`${title}\`,`].some((quoted) => source.includes(quoted)))
        findings.push(`${path}: ${file} has no test “${title}”`);
  }

/** Files that read the environment variables of the README's commands, which set `NODE_ENV` themselves. */
const environmentFiles = [
  "lib/bff/configuration/env.ts",
  "lib/bff/sidecar/customer-settings.ts",
  "channel/environment.ts",
  "processes/environment.ts",
  "scripts/launch.ts",
  "testing/browsers/find-browsers.ts",
  "instrumentation.ts",
  "lib/shop/server/chat.ts",
  "lib/shop/server/traces.ts",
];
const notForReaders = new Set([
  "NODE_ENV",
  "NEXT_PHASE",
  "NEXT_RUNTIME",
  "CHANNEL_KILL_AT",
  "CHANNEL_CONSOLE_TOKEN",
]);
const variable = /"((?:[A-Z][A-Z0-9]*_[A-Z0-9_]+)|PORT|HOST)"/g;
const variables = new Set(
  environmentFiles
    .flatMap((path) => matches(read(path), variable))
    .filter((name) => !notForReaders.has(name)),
);
const configuration = readme.slice(readme.indexOf("## Configuration"), readme.indexOf("## Folders"));
const described = new Set(matches(configuration, /(?<!\$)`([A-Z][A-Z0-9_]{3,})`/g));
const example = new Set(matches(read(".env.example"), /^# ([A-Z][A-Z0-9_]+)=/gm));
for (const name of variables)
  if (!described.has(name)) findings.push(`README.md, Configuration: ${name} is missing`);
for (const name of [...described, ...example])
  if (!variables.has(name)) findings.push(`README.md or .env.example: no program reads ${name}`);

const comment = /^\s*(?:\/\/|\/\*\*?|\*)\s/;
/** Tables, links and code cannot be wrapped. */
const cannotWrap = /^\s*(?:\||\[[^\]]+\]:|!\[|<)|https?:\/\/\S{60,}|biome-ignore/;
const sources = sourceFiles("**/*.{ts,tsx,css,mjs,md}");
for (const path of sources) {
  if (/^lib\/shop\/help\/|^docs\/public-surface/.test(path)) continue;
  // Code blocks keep their number of lines.
  const text = path.endsWith(".md") ? read(path).replace(/^ *```[\s\S]*?^ *```/gm, blankLines) : read(path);
  for (const [index, line] of text.split("\n").entries()) {
    const isProse = path.endsWith(".md") || comment.test(line);
    if (isProse && line.length > 110 && !cannotWrap.test(line))
      findings.push(`${path}:${index + 1}: ${line.length} columns`);
  }
}

const words = (list: string) => list.trim().split(/\s+/).join("|");
/** Pronouns and prepositions, which make the reader look for the thing. */
const vagueBeginning = new RegExp(
  `^(?:${words(`
    i we you he she it they him them us this that these those who whom whoever what whatever which whichever
    none nobody nothing everybody everything somebody something anything
    about above after against among around as at before behind below beside besides between beyond by despite
    during except for from in inside into like near of off on onto out outside over past per since than
    through throughout till to toward towards under until upon with within without
  `)})\\b`,
  "i",
);
const vagueWords = /\bas such\b(?! )|neither tells|the rest|of its own|that one(?=[:.;,)])/i;
for (const path of sources.filter((each) => !each.endsWith(".md")))
  for (const [, docstring = ""] of read(path).matchAll(/\/\*\*([\s\S]*?)\*\//g)) {
    const text = docstring
      .replaceAll(/^\s*\* ?/gm, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    const [vague] = vagueBeginning.exec(text) ?? vagueWords.exec(text) ?? [];
    if (vague !== undefined) findings.push(`${path}: reword “${vague}” in “${text.slice(0, 60)}”`);
  }

function blankLines(block: string): string {
  return block.replace(/.+/g, "");
}

/** The whole files of the guides, which `npm run test:integrate` writes, and their copies in the examples. */
const shown = ["docs/integrate.md", "docs/headless.md"]
  .flatMap((path) => codeBlocks(read(path)))
  .filter(({ language }) => language !== "diff")
  .map(({ file = "", text }) => ({ path: `/${file.replace(".auth-js.", ".")}`, text }));
const examples = sourceFiles("examples/**/*.{ts,html}").map((path) => ({ path, text: read(path) }));
for (const { path, text } of shown) {
  const copies = examples.filter((example) => example.path.endsWith(path));
  if (copies.length > 0 && !copies.some((copy) => copy.text === text))
    findings.push(`No example has the block ${path.slice(1)} of the guide`);
}
for (const { path, text } of examples) {
  const blocks = shown.filter((block) => path.endsWith(block.path));
  // Some examples' servers do more than the guide's.
  if (blocks.length > 0 && !path.endsWith("/server.ts") && !blocks.some((block) => block.text === text))
    findings.push(`${path} differs from its block in the guide`);
}

const index = read("llms.txt");
for (const path of documents)
  if (!index.includes(`](${path})`)) findings.push(`llms.txt: does not list ${path}`);
for (const path of matches(index, /\]\(([^)]+)\)/g))
  if (!existsSync(join(root, path))) findings.push(`llms.txt: ${path} does not exist`);

const workflow = read(".github/workflows/ci.yml");
for (const command of matches(read(".ci/run"), /^ *(?:\w+=\S+ )*((?:npm (?:run|test)|npx|node) ?.*)$/gm))
  if (!workflow.includes(command)) findings.push(`.github/workflows/ci.yml: does not run \`${command}\``);

for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else
  console.log(`${documents.length} documents, ${variables.size} variables: everything that they name exists`);
