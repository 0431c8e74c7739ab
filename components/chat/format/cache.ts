type Cache = <T extends object>(name: string, make: () => T) => T;

/** Making an Intl object costs far more than using it: one of each kind is kept. */
export function cache(): Cache {
  const made = new Map<string, object>();
  return (name, make) => {
    const known = made.get(name);
    if (known !== undefined) return known as ReturnType<typeof make>;
    const fresh = make();
    made.set(name, fresh);
    return fresh;
  };
}
