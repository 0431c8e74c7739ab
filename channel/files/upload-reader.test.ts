/** Cases that `e2e/contract/files.spec.ts` leaves out: split bodies, hostile headers, lost connections. */
import { hash } from "node:crypto";
import { ReadableStream } from "node:stream/web";
import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "#lib/chat-api/limits.ts";
import { cases } from "../../testing/unit/cases.ts";
import { receiveFile } from "./upload-reader.ts";

const boundary = "x-boundary";
const text = "My rear wheel wobbles.";

test("reads a form sent by fetch: name, type, size, hash and bytes", async () => {
  const form = new FormData();
  form.append("file", new File([text], 'say "hi" – Zoë.txt', { type: "text/plain" }));
  const upload = await receiveFile(new Request("http://channel.test/", { method: "POST", body: form }));
  expect(upload).toEqual({
    filename: 'say "hi" – Zoë.txt',
    mediaType: "text/plain",
    bytes: Buffer.from(text),
    sha256: hash("sha256", text),
  });
});

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

// 32 KiB exceed the allowance for delimiters and headers, so that the limit of the whole body applies.
test.each([1, 32 * 1024, 3 * 1024 * 1024])(
  "rejects a file of 4 MiB and %i bytes as too large",
  async (more) => {
    const body = part({ bytes: Buffer.alloc(limits.fileBytes + more, "a") });
    await expect(receiveFile(request(body, everyKibibytes(64)))).rejects.toMatchObject({
      code: "payload_too_large",
    });
  },
);

test("drains a refused body so that the client sees the answer", async () => {
  const piece = Buffer.alloc(1024 * 1024, "a");
  let sentPieces = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sentPieces += 1;
      controller.enqueue(piece);
      if (sentPieces === 8) controller.close();
    },
  });
  await expect(receiveFile(requestOf(body))).rejects.toMatchObject({ code: "payload_too_large" });
  expect(sentPieces).toBe(8);
});

test.each<[string, Uint8Array]>([
  ["a part without a name", part({ disposition: 'form-data; filename="a.txt"' })],
  ["a part without a filename", part({ disposition: 'form-data; name="file"' })],
  ["a part without a disposition", part({ disposition: "" })],
  ["a part that is no form data", part({ disposition: 'attachment; name="file"; filename="a.txt"' })],
  ["the beginning of a file", part({}).subarray(0, -text.length)],
  ["JSON", Buffer.from("{}")],
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

test("treats a body whose client disconnects midway as truncated", async () => {
  const body = part({ bytes: Buffer.alloc(1024 * 1024, "a") });
  let pulls = 0;
  const leaving = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls += 1;
      if (pulls === 2) controller.error(new Error("aborted"));
      else controller.enqueue(body.subarray(0, body.byteLength / 2));
    },
  });
  await expect(receiveFile(requestOf(leaving))).rejects.toMatchObject({ code: "internal_error" });
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
