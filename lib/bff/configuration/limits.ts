/**
 * The BFF's own limits of time, size and number. Sizes are bytes, durations are milliseconds. The Chat API's
 * limits are in the contract (`#lib/chat-api/limits.ts`), those of requests to it in the client
 * (`#lib/chat-client/options.ts`).
 */
const second = 1_000;
const minute = 60 * second;
const kibibyte = 1_024;

export const bffLimits = {
  /** Time for a caller to send its headers, and its whole request. The latter is longer than `uploadTime`. */
  headersTime: 15 * second,
  requestTime: 150 * second,
  /**
   * Longer than proxies keep idle connections (nginx: a minute), so that they never reuse one that was just
   * closed.
   */
  keepAliveTime: 75 * second,
  /** Next blocks its only thread for 260 ms while it parses 4,000 parameters, and for 1 ms at this limit. */
  queryParameters: 256,
  /**
   * Browsers keep this many cookies per site. Next rewrites its response headers for each cookie: 2,100
   * cookies took two seconds.
   */
  cookies: 180,
  /**
   * Next searches it for the names of bots in quadratic time: 14 KB took 1.5 s. UTF-16 units that pass to
   * Next.
   */
  userAgentLength: 512,
  /** Time for a WebSocket server to answer an upgrade request. */
  upgradeTime: 5 * second,
  /** JSON bodies are small (`collectionBodyBytes` at most), so one that takes longer counts as an attack. */
  jsonBodyTime: 10 * second,
  /** A slow mobile connection takes long to send a file, but does not pause for long. */
  uploadIdleTime: 10 * second,
  uploadTime: 2 * minute,
  /** Overhead of multipart: one boundary twice and a few header lines. */
  multipartOverheadBytes: 8 * kibibyte,
  /** Uploaded files are kept in memory for retries: at most this many times `fileBytes`. */
  concurrentUploads: 10,
  /**
   * The number of files in one message. A lower number than `concurrentUploads`, so that one session cannot
   * take all upload slots.
   */
  uploadsPerSession: 4,

  /**
   * Concurrent downloads. A reader that reads nothing holds some MiB of socket buffers. A chat shows about
   * this many pictures at once.
   */
  concurrentDownloads: 200,
  downloadsPerSession: 20,

  /** The refused origins that the log names. A program can send any number of them. */
  warnedOrigins: 20,

  connectTime: 5 * second,

  /** How long the browser may read nothing while data waits. */
  readerStallTime: 30 * second,
  /**
   * The limit per process is `MAX_STREAMS` (`env.ts`). A customer's streams on all devices count together.
   */
  streamsPerSession: 3,
  /** How often an open stream asks the host for its caller. A reply has up to a hundred writes a second. */
  callerCheckInterval: second,
  /** Answers of `customerOf` that the process remembers, and for how long those with an `until` hold. */
  knownSignIns: 10_000,
  knownSignInTime: 10 * minute,
  /** How long a turn may wait for its acknowledgement after its browser has left. Then the BFF aborts it. */
  detachTime: 15 * second,

  /** Time and pages of the Chat API that one request for messages may take. */
  searchTime: 5 * second,
  searchPages: 400,
  /** A list of more pages counts as endless. */
  pagesPerChat: 8_000,
  /** A page with fewer messages is sent with the page before it, so that together they fill a screen. */
  screenful: 30,
  /** A poll reads no more pages: the chat then shows its end anew. */
  newsPages: 4,
  /** A poll that returns more messages than this moves its cursor nearer to the end. */
  tailSlack: 8,
  /** More than are polled at once. A poll of another chat searches it again. */
  chatsWithKnownPages: 10_000,

  ownedChats: 10_000,
  /** Keys of created chats whose repetitions count in no limit. */
  countedKeys: 10_000,
  /** How many chats of the host's list the page gets, and how long a call of the host may take. */
  listedChats: 20,
  listedChatsTime: second,
  /** Presses whose repetitions the process recognises. */
  recentFeedback: 10_000,
  ownedChatTime: 10 * minute,
  /**
   * How long a write retries its owner check while the Chat API is unreachable: a little less than a browser
   * waits.
   */
  ownerReads: { waits: [2 * second], times: 11, within: 25 * second, longest: 0 },

  /** While the process stops: time for requests to finish, then for the remaining streams to end. */
  drainTime: 7 * second,
  closeTime: second,
} as const;
