/** Joins class names and leaves out what is absent or false. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter((name) => typeof name === "string" && name !== "").join(" ");
}
