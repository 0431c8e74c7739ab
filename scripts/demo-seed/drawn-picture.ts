/** Pictures made of nothing but their number: true PNG files of a photograph's size. */
import { crc32, deflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const width = 960;
const height = 739;
const bytesPerPixel = 3;

/** A sun over hills, in colours of its own for each number. Not compressed: every picture has the same size. */
export function drawPicture(number: number): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc((width * bytesPerPixel + 1) * height);
  const sun = { x: 120 + ((number * 173) % (width - 240)), y: 120 + ((number * 67) % 180), radius: 60 };
  for (let y = 0; y < height; y += 1) {
    // Each row begins with its filter, 0: none.
    let at = y * (width * bytesPerPixel + 1) + 1;
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = colourAt(x, y, number, sun);
      rows[at] = red;
      rows[at + 1] = green;
      rows[at + 2] = blue;
      at += bytesPerPixel;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const parts = [
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 0 })),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

interface Circle {
  x: number;
  y: number;
  radius: number;
}

function colourAt(x: number, y: number, number: number, sun: Circle): [number, number, number] {
  if ((x - sun.x) ** 2 + (y - sun.y) ** 2 < sun.radius ** 2) return [250, 214, 120];
  const hills = height * 0.6 + 70 * Math.sin((x + number * 90) / 140) + 30 * Math.sin((x - number * 40) / 47);
  const shade = Math.round((y / height) * 80);
  const tint = (number * 37) % 60;
  return y < hills ? [120 + tint, 160 + shade / 2, 220 - shade] : [60 + shade, 120 - tint / 2, 70 + tint];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "ascii"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.byteLength);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
