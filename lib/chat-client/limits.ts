/** The client's timeouts and size limits. Durations are milliseconds. Free of zod. */

const second = 1000;
const minute = 60 * second;
const mebibyte = 1024 * 1024;

export const defaultTimeouts = {
  /** Time from sending to the first byte of the response, including the connection. */
  headers: 30 * second,
  /** Time from sending to the last byte of a JSON response. */
  json: minute,
  /** Replaces `headers` and `json` for an upload, whose bytes must be sent first. */
  upload: 5 * minute,
  /** Time between two chunks of a turn stream or a file: the time of three keep-alive comments. */
  idle: 45 * second,
  /** A turn stream as a whole, with its retries. */
  stream: 15 * minute,
};

/** Counted after decompression: a small response can expand to a huge one. */
export const defaultLimits = {
  jsonBytes: 4 * mebibyte,
  /** UTF-16 code units of one event. It also limits a reply's text, because `done` has all of it. */
  eventLength: mebibyte,
  fileBytes: 4 * mebibyte,
};
