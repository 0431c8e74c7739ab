/** The playground's looks, as the chat's custom properties. */
export interface Look {
  /** `#rrggbb`. */
  accent?: string | undefined;
  corners?: string | undefined;
  density?: string | undefined;
  font?: string | undefined;
}

export const corners = { round: undefined, slight: "6px", square: "0px" } as const;
export const densities = { normal: undefined, compact: "0.9", roomy: "1.1" } as const;
export const fonts = {
  default: undefined,
  serif: "Georgia, serif",
  rounded: "ui-rounded, Nunito, sans-serif",
  monospace: "ui-monospace, monospace",
} as const;
export const accents = {
  "of the shop": undefined,
  blue: "#1d4ed8",
  violet: "#6d28d9",
  rose: "#be123c",
  amber: "#b45309",
} as const;

/** Surfaces of the chat in light and in dark, which the accent must stand out from. */
const surfaces = { light: "#ffffff", dark: "#1a2327" };
const [white, black] = ["#ffffff", "#000000"];
/** The least contrast of text by WCAG 1.4.3. */
const leastContrast = 4.5;

export function stylesOf({ accent, corners: radius, density, font }: Look): Record<string, string> {
  const small = radius === undefined ? undefined : `calc(${radius} / 2)`;
  const given = {
    ...(accent && paletteOf(accent)),
    "--chat-radius": radius,
    "--chat-radius-small": small,
    "--chat-scale": density,
    "--chat-font": font,
  };
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Darkens or lightens the accent until text in it, and on it, can be read in both schemes. */
function paletteOf(accent: string): Record<string, string> {
  const light = readable(accent, surfaces.light, black);
  const dark = readable(accent, surfaces.dark, white);
  const both = (a: string, b: string) => `light-dark(${a}, ${b})`;
  return {
    "--chat-accent": both(light, dark),
    "--chat-accent-ink": both(white, surfaces.dark),
    "--chat-accent-text": both(light, dark),
    "--chat-accent-soft": both(mixed(light, surfaces.light, 0.9), mixed(dark, surfaces.dark, 0.85)),
  };
}

function readable(colour: string, surface: string, towards: string): string {
  for (let part = 0; part < 1; part += 0.05) {
    const candidate = mixed(colour, towards, part);
    if (contrast(candidate, surface) >= leastContrast) return candidate;
  }
  return towards;
}

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

function mixed(colour: string, other: string, part: number): string {
  const others = channels(other);
  const parts = channels(colour).map((value, index) => value + ((others[index] ?? 0) - value) * part);
  return `#${parts.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}

/** The contrast of two colours as WCAG 2 defines it. */
export function contrast(a: string, b: string): number {
  const [first = 0, second = 0] = [a, b].map(luminance).sort((x, y) => y - x);
  return (first + 0.05) / (second + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
