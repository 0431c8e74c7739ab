export type Tables = Readonly<Record<string, () => string>>;

const block = /(<!-- table: ([a-z ]+) -->\n).*?(<!-- end -->)/gs;

/**
 * Writes generated Markdown between `<!-- table: name -->` and `<!-- end -->`.
 * @throws Error if the page lacks a table, or the tables one of the page's
 */
export function fillTables(page: string, tables: Tables): string {
  const missing = new Set(Object.keys(tables));
  const filled = page.replace(block, (_, begin: string, name: string, end: string) => {
    const make = tables[name];
    if (make === undefined) throw new Error(`There is no table "${name}"`);
    missing.delete(name);
    return `${begin}\n${make()}\n\n${end}`;
  });
  if (missing.size > 0) throw new Error(`The page has no place for ${[...missing].join(", ")}`);
  return filled;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export const code = (text: string) => `\`${text}\``;
