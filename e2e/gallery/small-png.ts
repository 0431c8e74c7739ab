/**
 * PNG files of few colours: a browser's screenshot has thousands, most of them from the edges of letters and from
 * shadows, and is three times as large. Reads what browsers write: 8 bits for each of three or four channels, not interlaced.
 */
import { crc32, deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostColours = 80;

/** The same picture in few colours; each other one takes the nearest of these. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const { palette, indexOf } = choosePalette(counts);

  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows[y * (width + 1) + 1 + x] = indexOf.get(pixels[y * width + x] ?? 0) ?? 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits, colours from a palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channelsOf))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const channelsOf = (colour: number) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff] as const;

interface Colour {
  colour: number;
  times: number;
  /** Of the nearest colour of the palette, and how far away it is (squared). */
  index: number;
  distance: number;
}

/**
 * One colour after another: each time the one that is worst off, being frequent and far from those that were chosen.
 * So a line of green text keeps its colour beside a picture with a thousand greys.
 */
function choosePalette(counts: ReadonlyMap<number, number>) {
  const colours = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([colour, times]): Colour => ({ colour, times, index: 0, distance: 3 * 255 ** 2 }));
  const palette: number[] = [];
  while (palette.length < mostColours) {
    const worst = colours.reduce((a, b) => (b.times * b.distance > a.times * a.distance ? b : a));
    if (worst.distance === 0) break;
    const [red, green, blue] = channelsOf(worst.colour);
    for (const each of colours) {
      const [r, g, b] = channelsOf(each.colour);
      const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      if (distance < each.distance) [each.index, each.distance] = [palette.length, distance];
    }
    palette.push(worst.colour);
  }
  return { palette, indexOf: new Map(colours.map(({ colour, index }) => [colour, index])) };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** Pixels as 0xRRGGBB, row by row. Screenshots are opaque: a fourth channel is left out. */
function decode(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  if (!png.subarray(0, 8).equals(signature)) throw new TypeError("not a PNG");
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const [depth, colourType, , , interlace] = png.subarray(24, 29);
  const channels = colourType === 6 ? 4 : 3;
  if (depth !== 8 || interlace !== 0 || (colourType !== 2 && colourType !== 6)) {
    throw new TypeError(`a PNG of depth ${depth}, colour type ${colourType}, interlace ${interlace}`);
  }
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") data.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const pixels = new Uint32Array(width * height);
  for (let index = 0; index < pixels.length; index += 1)
    pixels[index] = bytes.readUIntBE(index * channels, 3);
  return { width, height, pixels };
}

/** Undoes the filter of each row (PNG specification, section 9). */
function unfilter(filtered: Buffer, rowBytes: number, height: number, channels: number): Buffer {
  const bytes = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x;
      const left = x < channels ? 0 : (bytes[at - channels] ?? 0);
      const above = y === 0 ? 0 : (bytes[at - rowBytes] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (bytes[at - rowBytes - channels] ?? 0);
      const raw = filtered[y * (rowBytes + 1) + 1 + x] ?? 0;
      bytes[at] = raw + predicted(filter, left, above, corner);
    }
  }
  return bytes;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4: {
      const estimate = left + above - corner;
      const toLeft = Math.abs(estimate - left);
      const toAbove = Math.abs(estimate - above);
      const toCorner = Math.abs(estimate - corner);
      if (toLeft <= toAbove && toLeft <= toCorner) return left;
      return toAbove <= toCorner ? above : corner;
    }
    default:
      return 0;
  }
}
