import { type Problem, problems } from "./problems.ts";

let failed = false;

/** Prints the result of one check, with its remedy if it failed. */
export function report(ok: boolean, what: string, remedy = ""): void {
  failed ||= !ok;
  console.log(`${ok ? "ok  " : "FAIL"}  ${what}${ok || remedy === "" ? "" : `\n      ${remedy}`}`);
}

export function note(what: string): void {
  console.log(`note  ${what}`);
}

/** @param found What the check found beside the problem, as a sentence. */
export function reportCheck(name: keyof typeof problems, ok: boolean, found = ""): void {
  const { passes, fails, remedy }: Problem = problems[name];
  report(ok, ok ? passes : fails, `${found}${remedy}`);
}

export const exitCode = () => (failed ? 1 : 0);
