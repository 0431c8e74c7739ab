import { usePathname } from "next/navigation";
import { isLocale, type Locale } from "#lib/shop/locales.ts";

/** The language of the open page: translated pages have it first in their path, as `/de/help`. */
export function useLocale(): Locale {
  const first = usePathname().split("/")[1] ?? "";
  return isLocale(first) ? first : "en";
}
