/** Attributes of every input that takes an e-mail address. */
export const emailInput = {
  type: "email",
  inputMode: "email",
  autoComplete: "email",
  spellCheck: false,
  dir: "ltr",
} as const;
