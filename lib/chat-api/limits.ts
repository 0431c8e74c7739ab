/**
 * The Chat API's limits (docs/chat-api.md, "Limits"). Free of zod, so that browser code may import it.
 * Sizes are bytes, lengths are UTF-16 code units, durations are milliseconds unless the name says otherwise.
 */

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const day = 24 * 60 * 60 * 1000;

export const limits = {
  messageTextLength: 4_000,
  filesPerMessage: 4,
  fileBytes: 4 * mebibyte,
  filesPerChat: 40,
  fileBytesPerChat: 80 * mebibyte,
  /** The specification sets no limit. A browser decodes a picture to four bytes a pixel. */
  picturePixels: 50_000_000,
  unsentFileLifetime: day,
  jsonBodyBytes: 32 * kibibyte,
  collectionBodyBytes: 2 * mebibyte,
  answersPerSubmission: 20,
  answerLength: 2_000,
  skippedFieldsPerSubmission: 20,
  messagesPerPage: { min: 1, max: 50, default: 20 },
  citationsPerMessage: 20,
  productsPerMessage: 3,
  ordersPerMessage: 10,
  localeLength: 64,
  /**
   * The specification sets no limit for an email address; this is the limit of RFC 5321, section 4.5.3.1.3,
   * without the angle brackets.
   */
  emailLength: 254,
  createKeyRetention: 30 * day,
  keepAliveInterval: 15_000,
} as const;

/** The allowed media types of files (docs/chat-api.md, "Operations"). */
export const fileMediaTypes = [
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
  "application/pdf",
  "text/plain",
] as const;

export type FileMediaType = (typeof fileMediaTypes)[number];
