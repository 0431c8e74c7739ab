/** How long the client waits and how much it reads. Durations are milliseconds. Free of zod. */

const second = 1000;
const minute = 60 * second;
const mebibyte = 1024 * 1024;

export interface ClientTimeouts {
  /** From sending to the first byte of the answer, the time to connect included. */
  headers: number;
  /** From sending to the last byte of a JSON answer. */
  json: number;
  /** Both of these for an upload, whose bytes have to go up first. */
  upload: number;
  /** Between two pieces of a turn stream or a file. Three of the stream's comments may go missing. */
  idle: number;
  /** A turn stream in all, repetitions included. */
  stream: number;
}

export const defaultTimeouts: ClientTimeouts = {
  headers: 30 * second,
  json: minute,
  upload: 5 * minute,
  idle: 45 * second,
  stream: 15 * minute,
};

/** Counted after decompression: a small answer can unpack to a huge one. */
export interface ClientLimits {
  jsonBytes: number;
  /** UTF-16 code units of one event. Also the longest text of a reply: `done` carries the whole of it. */
  eventLength: number;
  fileBytes: number;
}

export const defaultLimits: ClientLimits = {
  jsonBytes: 4 * mebibyte,
  eventLength: mebibyte,
  fileBytes: 4 * mebibyte,
};
