/** Cases that `e2e/contract/files.spec.ts` leaves out: split bodies, hostile headers, lost connections. */
import { ReadableStream } from "node:stream/web";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../testing/unit/cases.ts";
import { receiveFile } from "./upload-reader.ts";

const boundary = "x-boundary";
const text = "My rear wheel wobbles.";

test("reads the same file however the body is split", async () => {
  const body = part({ bytes: `${text}\r\n--${boundary.slice(0, 4)}\r\n--` });
  const whole = await receiveFile(request(body));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(body.byteLength), { maxLength: 20 }), async (cuts) => {
      expect(await receiveFile(request(body, cuts))).toEqual(whole);
    }),
    { numRuns: cases(60) },
  );
  expect(await receiveFile(request(body, [...body.keys()]))).toEqual(whole);
});

test.each<[string, Uint8Array]>([
  ["a part without a name", part({ disposition: 'form-data; filename="a.txt"' })],
  ["a part without a disposition", part({ disposition: "" })],
  ["a part that is no form data", part({ disposition: 'attachment; name="file"; filename="a.txt"' })],
  ["a transfer encoding", part({ headers: ["Content-Transfer-Encoding: base64"] })],
  ["a header of 1 MiB", part({ headers: [`X-Filler: ${"x".repeat(1024 * 1024)}`], headersFirst: true })],
  [
    "20,000 part headers",
    part({ headers: Array.from({ length: 20_000 }, () => "X: y"), headersFirst: true }),
  ],
])("refuses %s as an invalid request", async (_name, body) => {
  const refusal = receiveFile(request(body, everyKibibytes(64)));
  await expect(refusal).rejects.toMatchObject({ code: "invalid_request" });
});

test("treats a file without a declared type as plain text", async () => {
  expect(await receiveFile(request(part({ type: "" })))).toMatchObject({ mediaType: "text/plain" });
});

test("treats a body shorter than its Content-Length as truncated", async () => {
  const body = part({ bytes: text });
  for (const arrived of [body, body.subarray(0, body.byteLength / 2), body.subarray(0, 0)]) {
    const cut = requestOf(ReadableStream.from([arrived]));
    cut.headers.set("content-length", String(body.byteLength + 1));
    await expect(receiveFile(cut)).rejects.toMatchObject({ code: "internal_error" });
  }
});

interface PartOptions {
  disposition?: string;
  type?: string;
  headers?: string[];
  headersFirst?: boolean;
  bytes?: string | Buffer;
}

function part(options: PartOptions): Buffer {
  const {
    disposition = 'form-data; name="file"; filename="a.txt"',
    type = "text/plain",
    headers = [],
    headersFirst = false,
    bytes = text,
  } = options;
  const own = [disposition && `Content-Disposition: ${disposition}`, type && `Content-Type: ${type}`];
  const lines = (headersFirst ? [...headers, ...own] : [...own, ...headers]).filter((line) => line !== "");
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`),
    Buffer.from(bytes),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

/** Sends the body in pieces that end at `cuts`, as a stream without a length. */
function request(
  body: Uint8Array,
  cuts: number[] | ((length: number) => number[]) = [],
  contentType?: string,
): Request {
  const positions = [...(typeof cuts === "function" ? cuts(body.byteLength) : cuts), body.byteLength];
  const ends = [...new Set(positions)].sort((a, b) => a - b);
  let start = 0;
  const pieces = ends.map((end) => {
    const piece = body.subarray(start, end);
    start = end;
    return piece;
  });
  return requestOf(ReadableStream.from(pieces.filter((piece) => piece.byteLength > 0)), contentType);
}

function requestOf(body: ReadableStream, contentType = `multipart/form-data; boundary=${boundary}`): Request {
  return new Request("http://channel.test/", {
    method: "POST",
    headers: { "content-type": contentType },
    body,
    duplex: "half",
  } as RequestInit);
}

function everyKibibytes(size: number): (length: number) => number[] {
  return (length) => Array.from({ length: Math.floor(length / (size * 1024)) }, (_, n) => n * size * 1024);
}
