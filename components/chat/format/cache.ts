type Cache = <T extends object>(name: string, make: () => T) => T;

/** Creating an Intl object costs far more than using it, so one of each kind is cached. */
export function cache(): Cache {
  const made = new Map<string, object>();
  return (name, make) => {
    const cached = made.get(name);
    if (cached !== undefined) return cached as ReturnType<typeof make>;
    const fresh = make();
    made.set(name, fresh);
    return fresh;
  };
}
