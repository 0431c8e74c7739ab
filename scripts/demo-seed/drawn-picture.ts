/** Generates PNG files as large as a photograph, a different one for each number. */
import sharp from "sharp";

const width = 960;
const height = 739;

/**
 * Draws a sun over hills. The number decides their colours and shapes. The PNG is uncompressed, so that all
 * pictures have the same size.
 */
export async function drawPicture(number: number): Promise<Uint8Array<ArrayBuffer>> {
  const tint = (number * 37) % 60;
  const shaded = (id: string, from: string, to: string) =>
    `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="rgb(${from})"/>` +
    `<stop offset="1" stop-color="rgb(${to})"/></linearGradient>`;
  const crests = Array.from({ length: width / 8 + 1 }, (_, step) => {
    const x = step * 8;
    return `${x} ${height * 0.6 + 70 * Math.sin((x + number * 90) / 140) + 30 * Math.sin((x - number * 40) / 47)}`;
  });
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    ${shaded("sky", `${120 + tint},160,220`, `${120 + tint},200,140`)}
    ${shaded("hills", `100,${120 - tint / 2},${70 + tint}`, `140,${120 - tint / 2},${70 + tint}`)}
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <path d="M0 ${height} L${crests.join(" L")} L${width} ${height} Z" fill="url(#hills)"/>
    <circle cx="${120 + ((number * 173) % (width - 240))}" cy="${120 + ((number * 67) % 180)}" r="60" fill="rgb(250,214,120)"/>
  </svg>`;
  return new Uint8Array(
    await sharp(Buffer.from(picture)).removeAlpha().png({ compressionLevel: 0 }).toBuffer(),
  );
}
