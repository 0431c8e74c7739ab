/**
 * Identifies how this machine renders text. Screenshots of another browser or other fonts differ in every
 * letter, so they are compared only on machines that render alike.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";

export interface Drawing {
  browser: string;
  /** Hash of text in the bundled font. */
  latin: string;
  /** Hash of text in the system's fonts. */
  others: string;
}

const file = join(import.meta.dirname, "pictures", "drawing.json");

export function drawingOfReference(): Drawing | null {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

export function keepDrawing(drawing: Drawing): void {
  writeFileSync(file, `${JSON.stringify(drawing, null, 2)}\n`);
}

export async function drawingOf(page: Page): Promise<Drawing> {
  const [latin = "", ...others] = await page.evaluate(async () => {
    const samples = [
      ["Hamburgefonstiv 0123456789 äéß £€ “…” ×·", '15px "Bricolage Grotesque Variable"'],
      ["نعم، من فضلك 日本語のテキスト、漢字 שלום ✓→•🔧", '15px "Bricolage Grotesque Variable", sans-serif'],
      ["req_5f0a2c7d11", "13px monospace"],
    ] as const;
    const drawn: string[] = [];
    for (const [text, font] of samples) {
      await document.fonts.load(font, text);
      const canvas = document.createElement("canvas");
      canvas.width = 480;
      canvas.height = 60;
      const context = canvas.getContext("2d");
      if (context === null) throw new Error("no canvas");
      context.font = font;
      context.fillText(text, 4, 24);
      context.fillText(text, 4.5, 50);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const digest = await crypto.subtle.digest("SHA-256", data);
      drawn.push(Array.from(new Uint8Array(digest.slice(0, 8)), (byte) => byte.toString(16)).join(""));
    }
    return drawn;
  });
  const browser = page.context().browser();
  return {
    browser: `${browser?.browserType().name()} ${browser?.version().split(".")[0]}`,
    latin,
    others: others.join(),
  };
}

/** The reason not to compare screenshots here; null when they are comparable. */
export function whyNotComparable(here: Drawing, reference: Drawing | null): string | null {
  if (reference === null) return "there are no reference screenshots";
  if (here.browser !== reference.browser)
    return `the references are from ${reference.browser}, this is ${here.browser}`;
  if (here.latin !== reference.latin) return "this machine renders Latin letters differently";
  // This concerns all screenshots: one letter of another font changes the height of its line.
  if (here.others !== reference.others) return "this machine has other fonts for other scripts and symbols";
  return null;
}
