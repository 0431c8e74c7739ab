import { expect, test } from "vitest";
import { contrast, stylesOf } from "./looks.ts";

test("changes nothing that was not chosen", () => {
  expect(stylesOf({})).toEqual({});
  expect(stylesOf({ corners: "0px", density: "0.9" })).toEqual({
    "--chat-radius": "0px",
    "--chat-radius-small": "calc(0px / 2)",
    "--chat-scale": "0.9",
  });
});

test.each(["#ffffff", "#ffff00", "#000000", "#1d4ed8", "#ff0000"])(
  "gives a readable palette for the accent %s",
  (accent) => {
    const pairs = Object.entries(stylesOf({ accent })).map(([name, value]) => {
      const [light = "", dark = ""] = value.match(/#[0-9a-f]{6}/g) ?? [];
      return [name, { light, dark }] as const;
    });
    const palette = Object.fromEntries(pairs);
    for (const scheme of ["light", "dark"] as const) {
      const of = (name: string) => palette[`--chat-${name}`]?.[scheme] ?? "";
      expect(contrast(of("accent"), of("accent-ink"))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(of("accent-text"), scheme === "light" ? "#ffffff" : "#1a2327")).toBeGreaterThanOrEqual(
        4.5,
      );
    }
  },
);
