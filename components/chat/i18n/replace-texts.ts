/**
 * The texts with those of `other` in their places. Ignores what is no text or has no place, because a JSON
 * file of the shop may hold anything.
 */
export function replaceTexts<Of extends object>(texts: Of, other: unknown): Of {
  if (typeof other !== "object" || other === null) return texts;
  const given = new Map<string, unknown>(Object.entries(other));
  const replaced = Object.entries(texts).map(([name, text]) => {
    const wanted = given.get(name);
    if (typeof text === "string") return [name, typeof wanted === "string" ? wanted : text];
    return [name, replaceTexts(text, wanted)];
  });
  const isPlural = "other" in texts;
  const categories = isPlural ? [...given].filter(([, text]) => typeof text === "string") : [];
  return Object.fromEntries([...replaced, ...categories]);
}
