/** Draws a bar per subject and figure as SVG. The longest bar of a figure fills the width. */
import { type PartResult, round, valuesOf } from "./result.ts";
import { median } from "./statistics.ts";

const width = 720;
const labelWidth = 190;
const valueWidth = 90;
const barHeight = 16;
const gap = 6;
const headHeight = 28;

const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export function drawPlot({ title, figures, titles, rows }: PartResult): string {
  const room = width - labelWidth - valueWidth;
  const shapes: string[] = [];
  let y = 0;
  for (const figure of figures) {
    const unit = figure.unit === "" ? "" : ` (${figure.unit})`;
    shapes.push(
      `<text x="0" y="${y + 18}" font-weight="600">${escapeText(figure.title + unit)}, ${figure.better} is better</text>`,
    );
    y += headHeight;
    const medians = rows.map((row) => median(valuesOf(row, figure.key)));
    const longest = Math.max(...medians.filter(Number.isFinite));
    for (const [index, row] of rows.entries()) {
      const value = medians[index] ?? Number.NaN;
      const length = Number.isFinite(value) ? Math.max(1, (value / longest) * room) : 0;
      const name = titles[row.subject] ?? row.subject;
      const fill = name.includes("**") ? "#0f766e" : "#94a3b8";
      shapes.push(
        `<text x="0" y="${y + 12}">${escapeText(name.replaceAll("*", ""))}</text>`,
        `<rect x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" fill="${fill}"/>`,
        `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${y + 12}">${round(value)}</text>`,
      );
      y += barHeight + gap;
    }
    y += gap * 2;
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" ` +
    `font-family="system-ui, sans-serif" font-size="12" fill="#0f172a"><title>${escapeText(title)}</title>` +
    `<rect width="100%" height="100%" fill="#ffffff"/>${shapes.join("")}</svg>\n`
  );
}
