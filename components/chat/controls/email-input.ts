/** Attributes of every input that takes an email address. */
export const emailInput = {
  type: "email",
  inputMode: "email",
  autoComplete: "email",
  spellCheck: false,
  dir: "ltr",
} as const;
