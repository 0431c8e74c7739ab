/** The names that hosts may rely on. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { attributeNames } from "#components/chat/element/attributes.ts";
import { endpoints } from "#lib/bff/chat-server/endpoints.ts";
import { defaultBasePath } from "#lib/chat-api/base-path.ts";
import { root } from "../../processes/root.ts";
import { entries } from "../../scripts/package/manifest.ts";
import { code } from "./markdown.ts";

/** Set by Node and Next, not by hosts. */
const internal = new Set(["NODE_ENV", "NEXT_PHASE"]);

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Lists the names by kind, from the sources that define them, in a stable order. */
export function publicSurface(): string {
  const chat = globSync("components/chat/**/*.{ts,tsx,css}", { cwd: root })
    .filter((path) => !path.includes("/fixtures/") && !path.includes(".test."))
    .map(read)
    .join("\n");
  const exported = Object.entries(entries).map(([name, path]): [string, string[]] => [
    `Exports of \`shop-chat/${name}\``,
    exportedNames(read(path)),
  ]);
  const sections: [title: string, names: readonly string[]][] = [
    ...exported,
    ["Other files of the package", ["shop-chat/element", "shop-chat/style.css"]],
    ["Properties of `<ChatWidget>`", componentProperties()],
    ["Attributes of `<shop-chat>`", attributeNames],
    ["Properties, methods and events of `<shop-chat>`", elementMembers()],
    ["Events that the page dispatches on `window`", unique(chat, /"(shop-chat:[a-z]+)"/g)],
    ["Events of the chat", eventTypes().map((type) => `shop-chat:${type}`)],
    ["CSS properties", unique(chat, /var\(\s*(--chat-[a-z-]+)/g)],
    [
      "Environment variables",
      unique(
        ["configuration/env.ts", "sidecar/agents.ts", "sidecar/customer-settings.ts"]
          .map((file) => read(`lib/bff/${file}`))
          .join("\n"),
        /"((?:[A-Z][A-Z0-9]*_[A-Z0-9_]+))"/g,
      ),
    ],
    [`Endpoints below \`${defaultBasePath}\``, endpointNames()],
  ];
  return sections
    .map(([title, names]) => `## ${title}\n\n${names.map((name) => `- ${code(name)}`).join("\n")}`)
    .join("\n\n");
}

function unique(text: string, pattern: RegExp): string[] {
  const names = Array.from(text.matchAll(pattern), ([, name = ""]) => name);
  return [...new Set(names)].filter((name) => !internal.has(name)).sort();
}

function eventTypes(): string[] {
  const unions = ["lib/engine/state/events.ts", "components/chat/events.ts"].map(read);
  return unique(unions.map((source) => bodyOf(source, " =\n", ";\n\n")).join("\n"), /"([a-z_]+)"/g);
}

function exportedNames(source: string): string[] {
  const lists = Array.from(source.matchAll(/^export (?:type )?\{([^}]*)\}/gm), ([, list = ""]) =>
    list.split(","),
  );
  const listed = lists.flat().map((name) => name.replace(/\btype\b|^.* as /g, "").trim());
  const declared = source.matchAll(/^export (?:async )?(?:const|class|function|interface|type) (\w+)/gm);
  return [...listed, ...Array.from(declared, ([, name = ""]) => name)].filter((name) => name !== "").sort();
}

function componentProperties(): string[] {
  const sources = [
    bodyOf(read("components/chat/widget-props.ts"), "interface ChatWidgetProps"),
    bodyOf(read("components/chat/chat-context.ts"), "interface ShopDetails"),
  ];
  return unique(sources.join("\n"), /^ {2}(\w+)[?(:]/gm);
}

function elementMembers(): string[] {
  const members = bodyOf(read("components/chat/element/shop-chat.ts"), "class ShopChatElement");
  const names = unique(members, /^ {2}(?:[gs]et )?([a-z]\w*)\(/gm);
  return [...names.filter((name) => !/Callback$|^constructor$/.test(name)), "event unread"];
}

function bodyOf(source: string, declaration: string, end = "\n}"): string {
  const begin = source.indexOf(declaration);
  if (begin < 0) throw new Error(`There is no ${declaration}`);
  return source.slice(begin, source.indexOf(end, begin));
}

function endpointNames(): string[] {
  return Object.entries(endpoints)
    .flatMap(([path, routes]) => routes.map(({ methods: [method] }) => `${method} ${path}`))
    .sort();
}
