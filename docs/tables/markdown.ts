/** Makes the Markdown of a generated part, by its name. */
export type Tables = Readonly<Record<string, () => string>>;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export const code = (text: string) => `\`${text}\``;
