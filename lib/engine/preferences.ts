import type { Storages } from "./storage/storage.ts";
import { fieldsOf, parseJson } from "./storage/stored.ts";
import { browserOwner, consentName, preferencesName } from "./storage-names.ts";

/** The customer's choices in this browser. */
export interface Preferences {
  sounds: boolean;
  /** The floating panel is enlarged. */
  isLarge: boolean;
  /** The customer wants no greeting. */
  hidesGreeting: boolean;
}

export const isAgreed = (storages: Pick<Storages, "of">, version: string | null): boolean =>
  version === null || storages.of(browserOwner).read(consentName) === version;

export function readPreferences(storages: Pick<Storages, "of">): Preferences {
  const none = { sounds: false, isLarge: false, hidesGreeting: false };
  return fieldsOf(parseJson(storages.of(browserOwner).read(preferencesName)), none);
}

export function writePreferences(storages: Pick<Storages, "of">, preferences: Preferences): void {
  storages.of(browserOwner).write(preferencesName, JSON.stringify(preferences));
}
