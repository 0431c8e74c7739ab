/** Files that customers attach. */

/** A valid picture of two by two pixels. */
export const png: Uint8Array = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEklEQVR4AWJiaGj4D8JMDFAAAAAA//900kEkAAAABklEQVQDADMwBAON8k0PAAAAAElFTkSuQmCC",
  "base64",
);

export const aNote = (name = "notes.txt") => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from("the rear hub\n"),
});

export const aPicture = (name = "hub.png") => ({ name, mimeType: "image/png", buffer: Buffer.from(png) });
