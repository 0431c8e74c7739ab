/** The reader's colour scheme; if absent, the system's. */
export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const themeCookie = "theme";

export function readTheme(value: string | undefined): Theme | undefined {
  return themes.find((theme) => theme === value);
}
