import { limits } from "../../chat-api/limits.ts";

/**
 * The longest side of a shrunken picture, in pixels: enough to read a serial number in a photo of a bicycle.
 */
const maxSide = 2_560;
const quality = 0.85;
const shrinkable = ["image/jpeg", "image/png", "image/webp"];

/**
 * Shrinks a picture that is too large to send, since phones take photos beyond the limit. Returns any other
 * file unchanged, even a picture that the browser cannot decode or that stays too large: the check that
 * follows reports those.
 */
export async function shrinkPicture(file: File): Promise<File> {
  if (file.size <= limits.fileBytes || !shrinkable.includes(file.type)) return file;
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return file;
  const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = canvas.getContext("2d");
  if (context === null) return file;
  // A JPEG has no transparency: without a ground it would be black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
  if (bytes === null || bytes.size > limits.fileBytes) return file;
  return new File([bytes], `${file.name.replace(/\.[^.]*$/, "")}.jpg`, { type: "image/jpeg" });
}
