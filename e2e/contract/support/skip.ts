/** Ends the test that throws it, which counts as skipped. */
export class Skip extends Error {}

export function skip(reason: string): never {
  throw new Skip(reason);
}
