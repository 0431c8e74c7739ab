const made = new Map<string, object>();

/** `new Kind(locale, options)`. Creating an Intl object costs far more than using it, so each is kept. */
export function intl<Made extends object, Options>(
  Kind: new (locale: string, options?: Options) => Made,
  locale: string,
  options?: Options,
): Made {
  const name = JSON.stringify([Kind.name, locale, options]);
  const known = made.get(name);
  if (known instanceof Kind) return known;
  const fresh = new Kind(locale, options);
  made.set(name, fresh);
  return fresh;
}
