/** Every part of `npm run bench`, in the order of docs/performance.md. */
import type { Part } from "../support/part.ts";
import { manyUploads, uploads } from "./files.ts";
import { pages, reads } from "./reads.ts";
import { firstEvent, idleStreams, manyStreams, saturation } from "./streams.ts";
import { turns } from "./turns.ts";

export const parts: Readonly<Record<string, Part>> = {
  reads,
  pages,
  first: firstEvent,
  streams: manyStreams,
  saturation,
  idle: idleStreams,
  uploads,
  "many-uploads": manyUploads,
  turns,
};

export const partNames = Object.keys(parts);
