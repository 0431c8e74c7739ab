/** The client's timeouts and size limits. Durations are milliseconds. Free of zod. */

const second = 1000;
const minute = 60 * second;
const mebibyte = 1024 * 1024;

export interface ClientTimeouts {
  /** Time from sending to the first byte of the response, including the connection. */
  headers: number;
  /** Time from sending to the last byte of a JSON response. */
  json: number;
  /** Replaces `headers` and `json` for an upload, whose bytes must be sent first. */
  upload: number;
  /** Time between two chunks of a turn stream or a file: the time of three keep-alive comments. */
  idle: number;
  /** A turn stream as a whole, with its retries. */
  stream: number;
}

export const defaultTimeouts: ClientTimeouts = {
  headers: 30 * second,
  json: minute,
  upload: 5 * minute,
  idle: 45 * second,
  stream: 15 * minute,
};

/** Counted after decompression: a small response can expand to a huge one. */
export interface ClientLimits {
  jsonBytes: number;
  /** UTF-16 code units of one event. It also limits a reply's text, because `done` has all of it. */
  eventLength: number;
  fileBytes: number;
}

export const defaultLimits: ClientLimits = {
  jsonBytes: 4 * mebibyte,
  eventLength: mebibyte,
  fileBytes: 4 * mebibyte,
};
