import type english from "./en.json";
import type { PartialTexts, Texts } from "./strings.ts";

/** All texts of the chat but the button's. The types name what one of its languages lacks. */
export type Strings = Texts<typeof english>;

/** The button's texts, which the page needs before the chat is loaded. */
export interface LauncherStrings {
  open: string;
  opening: string;
  failed: string;
  /** The button beside `failed`, for a page whose files a deployment has removed. */
  reload: string;
}

/** A language of the chat. */
export interface Language {
  launcher: LauncherStrings;
  /**
   * All other texts, with the plural categories of the language (`Intl.PluralRules`). A function is called
   * when the chat loads: `() => import("./pt.json")`.
   */
  texts: Strings | (() => Promise<Strings | { default: Strings }>);
}

/** Languages by BCP 47 tag: `pt`, `pt-BR`. */
export type Languages = Readonly<Record<string, Language>>;

/** Texts to show in place of the chat's own. The others stay as they are. */
export type StringOverrides = PartialTexts<Strings> & { launcher?: Partial<LauncherStrings> };
