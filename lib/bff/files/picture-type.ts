/** Detects a picture's type by the signatures of the four types that customers may send. */
import type { FileMediaType } from "../../chat-api/limits.ts";

type PictureType = Extract<FileMediaType, `image/${string}`>;

export function pictureTypeOf(head: Uint8Array): PictureType | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1");
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  if (text.startsWith("RIFF") && text.startsWith("WEBP", 8)) return "image/webp";
  return undefined;
}
