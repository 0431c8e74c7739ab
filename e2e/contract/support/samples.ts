/** Small files of the six allowed types (docs/chat-api.md, "Limits"). */
import { png } from "../../support/attachments.ts";
import { limits } from "./specification.ts";

const base64 = (text: string): Uint8Array => Buffer.from(text, "base64");

const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj
xref
0 4
0000000000 65535 f 
0000000009 00000 n 
0000000052 00000 n 
0000000101 00000 n 
trailer<</Size 4/Root 1 0 R>>
startxref
164
%%EOF
`;

export const samples: readonly { mediaType: string; filename: string; bytes: Uint8Array }[] = [
  {
    mediaType: "image/jpeg",
    filename: "bike.jpg",
    bytes: base64(
      "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAACAAIDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAgP/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCYBIv/2Q==",
    ),
  },
  { mediaType: "image/png", filename: "bike.png", bytes: png },
  {
    mediaType: "image/gif",
    filename: "bike.gif",
    bytes: base64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
  },
  {
    mediaType: "image/webp",
    filename: "bike.webp",
    bytes: base64("UklGRjAAAABXRUJQVlA4ICQAAABwAQCdASoCAAIAB0CWJaACdAFAAAD+338ZO9L/dDyh2KIQAAA="),
  },
  { mediaType: "application/pdf", filename: "receipt.pdf", bytes: Buffer.from(pdf, "latin1") },
  { mediaType: "text/plain", filename: "note.txt", bytes: Buffer.from("The chain slips. 自転車 🚲\n") },
];

export function textFile(content: string): { bytes: Uint8Array } {
  return { bytes: Buffer.from(content) };
}

export const largestFile: Uint8Array = Buffer.alloc(limits.fileBytes, "a");
