import { limits } from "#lib/chat-api/limits.ts";

/** The longest side of a picture that was made smaller, in pixels: enough to read a serial number in a photo of a bicycle. */
const longestSide = 2_560;
const quality = 0.85;
const shrinkable = ["image/jpeg", "image/png", "image/webp"];

/**
 * A picture that is too large to send, made smaller: today's phones take photos beyond the limit. Anything else comes
 * back as it is, and so does a picture that the browser cannot read or that stays too large: the check that follows
 * says so.
 */
export async function shrinkPicture(file: File): Promise<File> {
  if (file.size <= limits.fileBytes || !shrinkable.includes(file.type)) return file;
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return file;
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
  if (bytes === null || bytes.size > limits.fileBytes) return file;
  return new File([bytes], `${file.name.replace(/\.[^.]*$/, "")}.jpg`, { type: "image/jpeg" });
}
