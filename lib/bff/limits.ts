/**
 * The BFF's own limits of time, size and number. Sizes are bytes, durations are milliseconds. What the Chat API
 * limits is in the contract (`#lib/chat-api/limits.ts`).
 */
const second = 1_000;
const minute = 60 * second;
const kibibyte = 1_024;
const mebibyte = 1_024 * kibibyte;

export const bffLimits = {
  /** A JSON body that takes longer is a slow attack: the largest has 2 MiB. */
  jsonBodyTime: 10 * second,
  /** A file may come over a slow phone line: as long as bytes keep coming, but not for ever. */
  uploadIdleTime: 10 * second,
  uploadTime: 2 * minute,
  /** How long, and how much, a caller whose body was refused is listened to, so that it hears why. */
  lingerTime: 10 * second,
  lingerBytes: 64 * mebibyte,
  /** What multipart adds to a file: one boundary twice, a few header lines. */
  multipartOverheadBytes: 8 * kibibyte,
  /** Files are held whole, so that a lost answer can be asked for again: this many times 4 MiB at most. */
  concurrentUploads: 16,
  /** The files of one message, so that one session alone cannot take all places. */
  uploadsPerSession: 4,

  connectTime: 5 * second,
  upstreamHeadersTime: 30 * second,
  /** From one request to the last byte of its answer. A repetition has its own time, and begins no later than 15 s. */
  jsonTime: 60 * second,
  /** Three missed keep-alive comments: the connection is dead, whatever TCP believes. */
  streamIdleTime: 45 * second,
  streamTime: 15 * minute,
  upstreamJsonBytes: 4 * mebibyte,
  /** UTF-16 code units of one event, and of a whole reply. */
  upstreamEventLength: 1_024 * 1_024,

  /** The browser takes nothing although there is something to take. */
  readerStallTime: 30 * second,
  streamsPerSession: 3,
  streamsPerProcess: 200,
  /** How long a turn may take to be acknowledged after its browser has left, before the BFF lets go of it. */
  detachTime: 15 * second,

  /** A request for a chat's latest messages follows the list's pages for so long, and so many of them, then the browser asks on. */
  latestMessagesTime: 5 * second,
  latestMessagesPages: 400,
  /** A last page with fewer messages comes with the page before it: together they fill a screen. */
  latestMessages: 30,
  /** Characters of remembered cursors, of all chats together. */
  rememberedPageStarts: 8 * mebibyte,

  /** Signed-out sessions whose cookies may have been copied. A guest's is worth little; a customer's devices are few. */
  endedGuestSessions: 100_000,
  endedCustomers: 10_000,
  endedSessionsPerCustomer: 20,

  ownedChats: 10_000,
  ownedChatTime: 10 * minute,

  /** When the process is asked to stop: for what runs to finish by itself; for the last words of what does not. */
  drainTime: 7 * second,
  closeTime: second,
} as const;
