/**
 * The values of this name in the `Cookie` header. Only SP and HTAB may surround a name: `String.trim` would
 * also remove U+00A0, and browsers let any subdomain set `\xA0__Host-…`, which has no prefix for them.
 */
export function cookieValues({ headers }: Pick<Request, "headers">, name: string): string[] {
  const prefix = `${name}=`;
  return (headers.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.replace(/^[ \t]+/, ""))
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
}
