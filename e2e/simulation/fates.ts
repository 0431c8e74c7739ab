/**
 * The fate of one request and its response on the way. A new fault of the network is a row of `faults`.
 */
import type { Random } from "./random.ts";

export interface Fate {
  /** The fault, for the history; null for none. */
  name: string | null;
  /** Milliseconds until the next message of this connection arrives. */
  latency(): number;
  /** True if the request never arrives. */
  isLost: boolean;
  /** A proxy answers in the server's place. */
  refusal: Response | null;
  /** The part of the request's body that arrives; null for all. */
  requestBytes: number | null;
  /** True if the request arrives twice: a proxy repeats it. */
  isDoubled: boolean;
  /** A proxy replaces the response. */
  replace: ((response: Response) => Response) | null;
  /** The bytes of the response's body that arrive; 0 for not even its head, null for all. */
  responseBytes: number | null;
  /** Whether a body that is cut looks complete, as after a FIN. */
  endsCleanly: boolean;
  /** True if nothing arrives after the bytes above, and the connection stays open. */
  isSilent: boolean;
  /** The pieces in which these bytes arrive. */
  split(bytes: Uint8Array): Uint8Array[];
}

type Fault = (random: Random) => Partial<Fate>;

/** A proxy's own answer. */
export const pageOf = (status: number) =>
  new Response(`<html><body><h1>${status}</h1></body></html>`, {
    status,
    headers: {
      "content-type": "text/html",
      ...(status === 429 || status === 503 ? { "retry-after": "2" } : {}),
    },
  });

const proxyStatuses = [400, 403, 408, 413, 429, 500, 502, 503, 504] as const;
const wrongShapes = [
  "{}",
  '{"item":null}',
  '{"items":{}}',
  "[]",
  "null",
  '{"item":{"id":7}}',
  "<html>",
] as const;

function piecesOf(bytes: Uint8Array, length: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.byteLength; at += length) pieces.push(bytes.subarray(at, at + length));
  return pieces;
}

const slow = (random: Random, longest: number) => () => random.next() * longest;

export const faults = {
  "lost before it arrives": () => ({ isLost: true }),
  "answer lost": () => ({ responseBytes: 0 }),
  "answer cut": (random) => ({ responseBytes: random.between(1, 1_500) }),
  "answer cut cleanly": (random) => ({ responseBytes: random.between(1, 1_500), endsCleanly: true }),
  "answer silent": (random) => ({ responseBytes: random.between(1, 1_500), isSilent: true }),
  "request cut": (random) => ({ requestBytes: random.next() }),
  "sent twice": () => ({ isDoubled: true }),
  "refused by a proxy": (random) => ({ refusal: pageOf(random.pick(proxyStatuses)) }),
  // One that has passed a request on does not blame the request.
  "answer replaced by a proxy": (random) => {
    const status = random.pick([500, 502, 503, 504]);
    return { replace: () => pageOf(status) };
  },
  "answer of a wrong shape": (random) => {
    const text = random.pick(wrongShapes);
    return {
      replace: ({ status }) =>
        new Response(text, { status, headers: { "content-type": "application/json" } }),
    };
  },
  "in small pieces": (random) => {
    const length = random.between(1, 40);
    return { split: (bytes) => (bytes.byteLength > 4_000 ? [bytes] : piecesOf(bytes, length)) };
  },
  slow: (random) => ({ latency: slow(random, 4_000) }),
  "very slow": (random) => ({ latency: slow(random, 40_000) }),
} satisfies Record<string, Fault>;

const names = Object.keys(faults) as [keyof typeof faults, ...(keyof typeof faults)[]];

export interface Weather {
  /** The share of requests with a fault. */
  share: number;
  longest: number;
  /** Whether a proxy repeats requests. */
  doubles: boolean;
}

export function fateOf(random: Random, { share, longest, doubles }: Weather): Fate {
  const isFaulty = random.chance(share);
  const drawn = isFaulty ? random.pick(names) : null;
  const name = drawn === "sent twice" && !doubles ? "slow" : drawn;
  const fault: Fault | null = name === null ? null : faults[name];
  return {
    name,
    latency: slow(random, longest),
    isLost: false,
    refusal: null,
    requestBytes: null,
    isDoubled: false,
    replace: null,
    responseBytes: null,
    endsCleanly: false,
    isSilent: false,
    split: (bytes) => [bytes],
    ...fault?.(random),
  };
}
