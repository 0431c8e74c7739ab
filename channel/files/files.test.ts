/** Cases that `e2e/contract/files.spec.ts` does not cover: races, expiry, names, types and split bodies. */
import { randomUUID } from "node:crypto";
import { ReadableStream } from "node:stream/web";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FileMediaType } from "#lib/chat-api/limits.ts";
import { cases } from "../../testing/unit/cases.ts";
import { testChat } from "../testing/test-channel.ts";
import { attachmentDisposition, storableFilename } from "./filename.ts";
import { bytesMatch, sampleBytes } from "./media-type.ts";
import { receiveFile } from "./upload-reader.ts";

test("twenty parallel uploads with one key store one file", async () => {
  const { channel, chatId } = await testChat();
  const key = randomUUID();
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => channel.upload(chatId, undefined, key)),
  );
  expect(responses.map((response) => response.status).sort()).toEqual([...Array(19).fill(200), 201]);
  expect(new Set(responses.map((response) => response.body.item.id)).size).toBe(1);
});

test("an expired file counts against no limit until it is restored", async () => {
  const { channel, chatId } = await testChat();
  const [text, key] = ["22 bytes, or nearly so", randomUUID()];
  channel.channel.settings.changeLimits({ fileBytesPerChat: text.length });
  expect((await channel.upload(chatId, text, key)).status).toBe(201);
  expect((await channel.upload(chatId, text)).body.error.code).toBe("file_storage_limit");
  await channel.advance(25 * 60 * 60 * 1000);
  expect((await channel.upload(chatId, text)).status).toBe(201);
  expect((await channel.upload(chatId, text, key)).body.error.code).toBe("file_storage_limit");
});

test.each([
  ["Grüße an Zoë 🚲.pdf", "Grüße an Zoë 🚲.pdf"],
  ["say %22hi%22.txt", 'say "hi".txt'],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\me\\invoice.pdf", "invoice.pdf"],
  ["a/b\\c", "c"],
  ["line%0D%0Abreak.txt", "linebreak.txt"],
  ["nul\u0000.txt", "nul.txt"],
  ["  spaced .txt ", "spaced .txt"],
  ["\u202Egpj.exe", "\u202Egpj.exe"],
  ["", "file.png"],
  ["..", "file.png"],
  ["folder/", "file.png"],
])("stores the name %j as %j", (given, kept) => {
  expect(storableFilename(given, "image/png")).toBe(kept);
});

test("shortens a name above the limit but keeps its extension", () => {
  const kept = storableFilename(`${"🚲".repeat(5000)}.jpeg`, "image/jpeg");
  expect([...kept]).toHaveLength(1024);
  expect(kept).toMatch(/🚲\.jpeg$/u);
  expect(storableFilename(`a.${"x".repeat(5000)}`, "text/plain")).toHaveLength(1024);
});

test("sanitising a name is idempotent and always yields a storable name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (given) => {
      const kept = storableFilename(given, "text/plain");
      expect(kept).not.toMatch(/[\p{Cc}/\\]/u);
      expect(kept.isWellFormed()).toBe(true);
      expect(kept).not.toMatch(/^\.*$/);
      // A second pass decodes `%22` again, as in a form; nothing else may change.
      fc.pre(!/%(?:22|0A|0D)/.test(kept));
      expect(storableFilename(kept, "text/plain")).toBe(kept);
    }),
  );
});

test.each([
  ["photo.jpg", 'attachment; filename="photo.jpg"'],
  ["my photo (1).jpg", 'attachment; filename="my photo (1).jpg"'],
  ['a"b.txt', "attachment; filename=\"a_b.txt\"; filename*=UTF-8''a%22b.txt"],
  ["50% off.txt", "attachment; filename=\"50_ off.txt\"; filename*=UTF-8''50%25%20off.txt"],
  [
    "Zoë's (1)*.pdf",
    "attachment; filename=\"Zo_'s (1)*.pdf\"; filename*=UTF-8''Zo%C3%AB%27s%20%281%29%2A.pdf",
  ],
  ["🚲.png", "attachment; filename=\"_.png\"; filename*=UTF-8''%F0%9F%9A%B2.png"],
  ["\u202Egpj.exe", 'attachment; filename="gpj.exe"'],
  ["\u2066", 'attachment; filename="file"'],
])("the disposition of %j is %s", (name, disposition) => {
  expect(attachmentDisposition(name)).toBe(disposition);
});

const bytes = {
  png: bytesOf("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\0IDAT"),
  animatedPng: bytesOf("\x89PNG\r\n\x1a\n\0\0\0\rIHDR".padEnd(33, "\0"), "\0\0\0\x08acTL".padEnd(20, "\0")),
  gif: bytesOf("GIF89a\x01\0\x01\0\x80\0\0"),
  nothing: new Uint8Array(),
  zip: bytesOf("PK\x03\x04\x14\0\0\0\x08\0".padEnd(64, "\0")),
  linuxProgram: bytesOf("\x7fELF\x02\x01\x01\0"),
  html: bytesOf("<!doctype html><script>alert(1)</script>"),
  svg: bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
};

// `e2e/contract/files.spec.ts` stores a file of each type.
test.each([
  ["animated", bytes.animatedPng],
  ["of which only the signature has arrived", bytes.png.subarray(0, 8)],
])("recognises a PNG that is %s", async (_name, sample) => {
  expect(await bytesMatch("image/png", sample)).toBe(true);
});

test("recognises a PDF behind bytes that a mail program put before it", async () => {
  expect(await bytesMatch("application/pdf", bytesOf("\r\n".repeat(20), "%PDF-1.4\n"))).toBe(true);
  expect(await bytesMatch("application/pdf", bytesOf(" ".repeat(1024), "%PDF-1.4\n"))).toBe(false);
});

const foreign: [FileMediaType, keyof typeof bytes][] = [
  ["image/png", "nothing"],
  ["application/pdf", "nothing"],
  ["image/jpeg", "svg"],
  ["image/webp", "gif"],
  ["text/plain", "zip"],
  ["text/plain", "linuxProgram"],
];
test.each(foreign)("rejects %s made of %s bytes", async (mediaType, kind) => {
  expect(await bytesMatch(mediaType, bytes[kind])).toBe(false);
});

test.each<[string, Uint8Array]>([
  ["that begins like a GIF", bytesOf("GIF89a is the format that I cannot open.")],
  ["that begins like a program", bytesOf("MZ is what the label says")],
  ["in Arabic", new TextEncoder().encode("مرحبا")],
  ["in Latin-1", bytesOf("Gr\xfc\xdfe aus K\xf6ln")],
  ["in UTF-16", new Uint8Array(Buffer.from("\uFEFFhello", "utf16le"))],
  ["that is HTML", bytes.html],
  ["of zeros, which is no known format", new Uint8Array(sampleBytes)],
])("accepts text %s as text/plain", async (_name, sample) => {
  expect(await bytesMatch("text/plain", sample)).toBe(true);
});

/** One byte per character below U+0100. */
function bytesOf(...parts: string[]): Uint8Array {
  return new Uint8Array(Buffer.from(parts.join(""), "latin1"));
}

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
  const cuts = Array.from({ length: Math.floor(body.byteLength / 65_536) }, (_, n) => n * 65_536);
  const refusal = receiveFile(request(body, cuts));
  await expect(refusal).rejects.toMatchObject({ code: "invalid_request" });
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
  headers?: string[];
  headersFirst?: boolean;
  bytes?: string | Buffer;
}

function part(options: PartOptions): Buffer {
  const {
    disposition = 'form-data; name="file"; filename="a.txt"',
    headers = [],
    headersFirst = false,
    bytes = text,
  } = options;
  const own = [disposition && `Content-Disposition: ${disposition}`, "Content-Type: text/plain"];
  const lines = (headersFirst ? [...headers, ...own] : [...own, ...headers]).filter((line) => line !== "");
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`),
    Buffer.from(bytes),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

/** Sends the body in pieces that end at `cuts`, as a stream without a length. */
function request(body: Uint8Array, cuts: readonly number[] = []): Request {
  const ends = [...new Set([...cuts, body.byteLength])].sort((a, b) => a - b);
  const pieces = ends.map((end, index) => body.subarray(ends[index - 1] ?? 0, end));
  return requestOf(ReadableStream.from(pieces.filter((piece) => piece.byteLength > 0)));
}

function requestOf(body: ReadableStream): Request {
  return new Request("http://channel.test/", {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body,
    duplex: "half",
  } as RequestInit);
}
