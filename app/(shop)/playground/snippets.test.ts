import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { propsOf } from "../../../components/chat/element/attributes.ts";
import { root } from "../../../processes/root.ts";
import { entries } from "../../../scripts/package/manifest.ts";
import { elementSnippet, reactSnippet, serverSnippet } from "./snippets.ts";

const names = { agentName: "Wren", shopName: "Tarn & Tread" };
const everything = {
  ...names,
  mode: "inline",
  side: "start",
  launcher: "none",
  openOnLoad: true,
  theme: "dark",
  locale: "ar",
  suggestions: ['Is a "Kestrel" <light>?', "{braces}", "a|b", "C:\\|", "&quot;"],
  strings: { welcome: { title: "Good morning!" } },
  consent: { text: "We store it.", href: "/help/privacy" },
  disclosure: { label: "AI assistant", text: "Wren is an AI." },
  greeting: { text: "Can we help?", after: 2, paths: ["/", "/products/*"] },
  pictureOrigins: ["https://a.example", "https://b.example"],
} as const;

test("the element's snippet says what was chosen", () => {
  const tag = /<shop-chat\n([\s\S]*)\n><\/shop-chat>/.exec(elementSnippet(everything))?.[1] ?? "";
  const attributes = new Map(
    Array.from(tag.matchAll(/^ {2}([\w-]+)(?:="([^"]*)")?$/gm), ([, name = "", value = ""]) => [
      name,
      value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
    ]),
  );
  const { strings: _, ...choices } = everything;
  expect(propsOf((name) => attributes.get(name) ?? null)).toMatchObject(choices);
});

test("the snippets for React and the server compile against the package's entries", {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(root, "node_modules", ".snippets-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const sources = {
    "defaults.tsx": reactSnippet({ ...names, greeting: undefined }),
    "floating.tsx": reactSnippet({ ...everything, mode: "floating" }),
    "inline.tsx": reactSnippet(everything),
    "route.ts": serverSnippet,
    "styles.d.ts": 'declare module "shop-chat/style.css";\n',
  };
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
  const paths = Object.entries(entries).map(([name, path]) => [`shop-chat/${name}`, [join(root, path)]]);
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: { noEmit: true, incremental: false, paths: Object.fromEntries(paths) },
    // Next's own declarations: `next-env.d.ts` is missing in a fresh clone.
    include: [join(root, "node_modules/next/types/global.d.ts"), join(folder, "*")],
    exclude: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  // Rejects with the compiler's output if a snippet does not compile.
  await promisify(execFile)(process.execPath, [compiler, "--project", folder]);
});
