import type { Language } from "../language/languages.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import type { Phrases } from "./phrases.ts";

export const phrases: Readonly<Record<Language, Phrases>> = { en, de, fr, ar, ja };
