/** Every part of `npm run bench`, in the order of docs/performance.md. */
import type { Part } from "../support/part.ts";
import { downloads, manyUploads, uploads } from "./files.ts";
import { openings, polls } from "./openings.ts";
import { bffs, channels } from "./processes.ts";
import { reads } from "./reads.ts";
import { startUp } from "./start-up.ts";
import { firstEvent, idleStreams, manyStreams, saturation } from "./streams.ts";
import { growth, turns } from "./turns.ts";

export const parts: Readonly<Record<string, Part>> = {
  reads,
  first: firstEvent,
  streams: manyStreams,
  saturation,
  idle: idleStreams,
  uploads,
  downloads,
  "many-uploads": manyUploads,
  polls,
  openings,
  start: startUp,
  turns,
  growth,
  channels,
  bffs,
};

export const partNames = Object.keys(parts);
