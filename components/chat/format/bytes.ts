import { intl } from "./intl.ts";

export function bytesOf(size: number, locale: string): string {
  // Steps of 1,024, like the API's limits: the largest allowed file reads "4 MB".
  const [value, unit] =
    size < 1_024
      ? ([size, "byte"] as const)
      : size < 1_048_576
        ? ([size / 1_024, "kilobyte"] as const)
        : ([size / 1_048_576, "megabyte"] as const);
  const maximumFractionDigits = unit === "megabyte" ? 1 : 0;
  return intl(Intl.NumberFormat, locale, {
    style: "unit",
    unit,
    unitDisplay: unit === "byte" ? "long" : "short",
    maximumFractionDigits,
  }).format(value);
}
