/** Uploads that the BFF rejects or forwards, and files on their way to the browser. */
import { beforeEach, expect, test, vi } from "vitest";
import { fileMediaTypes, limits } from "../../chat-api/limits.ts";
import { aFile } from "../../chat-api/testing/builders.ts";
import { bodyOf, inPieces } from "../../chat-client/testing/streams.ts";
import { bffLimits } from "../configuration/limits.ts";
import { fileResponse } from "../files/file-response.ts";
import { safeFilename } from "../files/filename.ts";
import {
  anotherOwner,
  bffOfTest,
  expectRefused,
  hostilePeer,
  newGuest,
  type Outcome,
  outcomeOf,
  ownBff,
  ownerOfChat,
  sharedBff,
  signedIn,
} from "../testing/hostile-set-up.ts";
import { errorBody, json } from "../testing/hostile-upstream.ts";
import { freshKey, startTestBff, type TestBrowser } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
// Some tests do not read the files that they request.
const t = sharedBff(environment, { limits: { downloads: 1_000, downloadsPerCaller: 1_000 } });
let browser: TestBrowser;
const mebibyte = 1024 * 1024;

beforeEach(async () => {
  browser = await ownerOfChat(t, upstream);
  upstream.respond("POST /chats/chat_0001/files", 201, { item: aFile() });
});

const path = "/api/chat/chats/chat_0001/files";
const uploads = () => upstream.seen.filter(({ method }) => method === "POST");

function post(body: BodyInit, headers: Record<string, string> = {}): Promise<Outcome> {
  const init: RequestInit = { method: "POST", body, headers: { "idempotency-key": freshKey(), ...headers } };
  return outcomeOf(browser.send(path, init));
}

interface PartOptions {
  bytes?: string | Uint8Array;
  type?: string | undefined;
  disposition?: string;
  boundary?: string;
  extraHeaders?: string;
  after?: string;
}

/** One multipart part, written by hand. */
function multipart({
  bytes = "text",
  type = "text/plain",
  disposition = 'form-data; name="file"; filename="a.txt"',
  boundary = "xyz",
  extraHeaders = "",
  after,
}: PartOptions = {}): Buffer {
  const headers = `Content-Disposition: ${disposition}\r\n${type === "" ? "" : `Content-Type: ${type}\r\n`}${extraHeaders}`;
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${headers}\r\n`),
    Buffer.from(bytes),
    Buffer.from(after ?? `\r\n--${boundary}--\r\n`),
  ]);
}

const ofBoundary = (boundary: string): Record<string, string> => ({
  "content-type": `multipart/form-data; boundary=${boundary}`,
});

function postRaw(body: Buffer | string, headers = ofBoundary("xyz")): Promise<Outcome> {
  return post(new Uint8Array(Buffer.from(body)), headers);
}

/** The file as the Chat API received it. */
function received(): { filename: string; type: string; bytes: string } {
  const { body = "", headers = {} } = uploads().at(-1) ?? {};
  const boundary = /boundary=(.+)$/.exec(headers["content-type"] ?? "")?.[1] ?? "none";
  const [head = "", ...rest] = body.split("\r\n\r\n");
  return {
    filename: Buffer.from(/filename="([^"]*)"/.exec(head)?.[1] ?? "", "latin1").toString("utf8"),
    type: /Content-Type: (.*)/i.exec(head)?.[1]?.trim() ?? "",
    bytes: rest.join("\r\n\r\n").split(`\r\n--${boundary}`)[0] ?? "",
  };
}

test("forwards the bytes, type and name of a browser's form", async () => {
  const form = new FormData();
  const bytes = new Uint8Array(256).map((_, index) => index);
  form.append("file", new Blob([bytes], { type: "image/png" }), 'M\u00fcll "1".png');
  expect(await post(form)).toMatchObject({ status: 201 });
  expect(received()).toEqual({
    filename: "M\u00fcll _1_.png",
    type: "image/png",
    bytes: Buffer.from(bytes).toString("latin1"),
  });
});

test("refuses a picture that would take gigabytes to decode, wherever its header is", async () => {
  const frame = (side: number) => Buffer.from([0xff, 0xc0, 0, 17, 8, side, 0, side, 0, 3]);
  const metadata = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(0xff_fd)]);
  const photo = (side: number, segments: number) =>
    Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array(segments).fill(metadata), frame(side)]);
  for (const segments of [0, 1, 40]) {
    const posted = (side: number) => postRaw(multipart({ bytes: photo(side, segments), type: "image/jpeg" }));
    expect(await posted(27)).toMatchObject({ status: 201 });
    await expectRefused(posted(28), "unsupported_file", `${segments} segments`, "/file");
  }
});

test("reads the same file from chunks of any length", async () => {
  const content = "line\r\n--xy\r\n--xyzz is not the end\r\n-".replace("--xyzz", "--xyq");
  const body = multipart({ bytes: content });
  for (let length = 1; length <= body.length; length += 1) {
    expect(await post(inPieces(body, length), ofBoundary("xyz")), `pieces of ${length}`).toMatchObject({
      status: 201,
    });
    expect(received().bytes).toBe(content);
  }
});

test("accepts uploads up to 4 MiB, however they are sent and declared", async () => {
  const [fits, over] = [
    multipart({ bytes: Buffer.alloc(limits.fileBytes, 1) }),
    multipart({ bytes: Buffer.alloc(limits.fileBytes + 1, 1) }),
  ];
  expect(await postRaw(fits)).toMatchObject({ status: 201 });
  expect(await post(inPieces(fits, 65_536), ofBoundary("xyz"))).toMatchObject({ status: 201 });
  await expectRefused(postRaw(over), "payload_too_large");
  await expectRefused(
    post(inPieces(over, 65_536), { ...ofBoundary("xyz"), "content-length": "100" }),
    "payload_too_large",
  );
  expect(uploads()).toHaveLength(2);
});

test("answers an endless upload at the limit and stops reading soon after", async () => {
  let sentBytes = 0;
  const cancelled = Promise.withResolvers<void>();
  const head = multipart({ bytes: "", after: "" });
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(sentBytes === 0 ? new Uint8Array(head) : new Uint8Array(65_536));
      sentBytes += 65_536;
    },
    cancel: () => cancelled.resolve(),
  });
  await expectRefused(post(endless, ofBoundary("xyz")), "payload_too_large");
  expect(sentBytes).toBeLessThan(limits.fileBytes + bffLimits.multipartOverheadBytes + mebibyte);
  await cancelled.promise;
});

test("forwards an empty file", async () => {
  expect(await postRaw(multipart({ bytes: "" }))).toMatchObject({ status: 201 });
  expect(received().bytes).toBe("");
});

test("rejects anything but one part named file", async () => {
  const part = (disposition: string) => multipart({ disposition }).toString("latin1");
  const invalidBodies: Record<string, string> = {
    "two files": `${multipart({ after: "\r\n" })}${multipart()}`,
    "a text part after it": `${multipart({ after: "\r\n" })}--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--xyz--\r\n`,
    "a text part before it": `--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n${multipart()}`,
    "another name": part('form-data; name="File"; filename="a.txt"'),
    "no file name": part('form-data; name="file"'),
    "only an extended file name": part("form-data; name=\"file\"; filename*=UTF-8''a.txt"),
    "not form data": part('attachment; name="file"; filename="a.txt"'),
    "no disposition": "--xyz\r\nContent-Type: text/plain\r\n\r\ntext\r\n--xyz--\r\n",
    "no part": "--xyz--\r\n",
    nothing: "",
  };
  for (const [what, body] of Object.entries(invalidBodies)) {
    await expectRefused(postRaw(body), "invalid_request", what, "/file");
  }
  for (const type of [
    "application/x-www-form-urlencoded",
    "application/json",
    "multipart/mixed; boundary=xyz",
    "multipart/form-data",
  ]) {
    await expectRefused(postRaw(multipart(), { "content-type": type }), "unsupported_media_type", type);
  }
  expect(uploads()).toEqual([]);
});

test("rejects 70,000 parts, 20,000 headers and a header of 1 MB", async () => {
  const bombs = [
    Buffer.from('--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(70_000)),
    multipart({ extraHeaders: "X-A: b\r\n".repeat(20_000) }),
    multipart({ extraHeaders: `X-A: ${"b".repeat(mebibyte)}\r\n` }),
    multipart({ extraHeaders: "X-A: b\r\n".repeat(9) }),
  ];
  for (const bomb of bombs) await expectRefused(postRaw(bomb), "invalid_request", undefined, "/file");
});

test("accepts 70-character boundaries and an epilogue, not a preamble or a missing end", async () => {
  const long = "b".repeat(70);
  expect(await postRaw(multipart({ boundary: long }), ofBoundary(long))).toMatchObject({ status: 201 });
  expect(await postRaw(multipart({ boundary: "a b" }), ofBoundary('"a b"'))).toMatchObject({ status: 201 });
  for (const boundary of [`${long}b`, "", '""', "a\u00e9"]) {
    expect(await postRaw(multipart({ boundary }), ofBoundary(boundary)), boundary).toMatchObject({
      status: 415,
    });
  }
  expect(await postRaw(`preamble\r\n${multipart()}`)).toMatchObject({ status: 400 });
  for (const after of ["", "\r\n", "\r\n--xyz", "\r\n--xyz-", "\n--xyz--"]) {
    expect(await postRaw(multipart({ after })), JSON.stringify(after)).toMatchObject({
      status: 400,
      field: "/file",
    });
  }
  expect(await postRaw(multipart({ after: "\r\n--xyz--\r\nepilogue" }))).toMatchObject({ status: 201 });
  expect(received().bytes).toBe("text");
});

test("accepts only the contract's media types and drops their parameters", async () => {
  for (const type of fileMediaTypes)
    expect(await postRaw(multipart({ type })), type).toMatchObject({ status: 201 });
  for (const [type, bare] of [
    ["IMAGE/PNG", "image/png"],
    ["image/png; x", "image/png"],
    ["text/plain; charset=utf-7", "text/plain"],
  ] as const) {
    expect(await postRaw(multipart({ type })), type).toMatchObject({ status: 201 });
    expect(received().type).toBe(bare);
  }
  for (const type of [
    "image/svg+xml",
    "text/html",
    "application/xhtml+xml",
    "application/zip",
    "",
    "image/*",
    "application/octet-stream",
  ]) {
    await expectRefused(postRaw(multipart({ type })), "unsupported_file", type, "/file");
  }
});

test("declares a picture or PDF as what its first bytes say, where its own declaration says nothing", async () => {
  for (const [type, bytes, is] of [
    ["application/octet-stream", "\xff\xd8\xff\xe0 photo", "image/jpeg"],
    ["image/jpg", "\xff\xd8\xff\xe1 photo", "image/jpeg"],
    ["", "\x89PNG\r\n\x1a\n", "image/png"],
    ["application/x-pdf", "%PDF-1.7", "application/pdf"],
  ] as const) {
    const body = multipart({ type, bytes: Buffer.from(bytes, "latin1") });
    expect(await postRaw(body), type).toMatchObject({ status: 201 });
    expect(received().type).toBe(is);
  }
});

test("removes paths, unsafe characters and excess length from file names", async () => {
  const names: [string, string][] = [
    ["../../etc/passwd", "_.._etc_passwd"],
    ["C:\\temp\\a.txt", "C__temp_a.txt"],
    ["a%0D%0AX-Evil: 1.txt", "a__X-Evil_ 1.txt"],
    ["a%22b.txt", "a_b.txt"],
    ["a\u0000b.txt", "a_b.txt"],
    ...[..."\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"].map(
      (mark): [string, string] => [`${mark}gnp.exe`, "_gnp.exe"],
    ),
    ["...", "file"],
    ["   ", "file"],
    ["CON", "CON"],
    ["\u{1f600}.png", "\u{1f600}.png"],
    ["\u0646\u0635.txt", "\u0646\u0635.txt"],
    ["e\u0301.txt", "\u00e9.txt"],
  ];
  for (const [name, cleaned] of names) {
    expect(
      await postRaw(multipart({ disposition: `form-data; name="file"; filename="${name}"` })),
      name,
    ).toMatchObject({ status: 201 });
    expect(received().filename).toBe(cleaned);
  }
  const long = `${"\u{1f600}".repeat(150)}.jpeg`;
  await postRaw(multipart({ disposition: `form-data; name="file"; filename="${long}"` }));
  expect(received().filename.length).toBeLessThanOrEqual(200);
  expect(received().filename).toMatch(/^(\u{1f600})+\.jpeg$/u);
});

test("does not forward a truncated upload or one without its closing delimiter", async () => {
  const body = multipart({ bytes: Buffer.alloc(10_000, 7) });
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const cut = Math.floor((body.length * tenth) / 10);
    const broken = bodyOf([new Uint8Array(body.subarray(0, Math.max(1, cut)))], "error");
    await expectRefused(post(broken, ofBoundary("xyz")), "service_unavailable");
    expect(await postRaw(body.subarray(0, cut)), `cut at ${cut}`).toMatchObject({
      status: 400,
      field: "/file",
    });
  }
  expect(uploads()).toEqual([]);
});

test("limits concurrent uploads per process and per customer with Retry-After", async () => {
  const waiting: (() => void)[] = [];
  upstream.on("POST /chats/chat_0001/files", async (_, response) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    json(response, 201, { item: aFile() });
  });
  const { concurrentUploads, uploadsPerSession } = bffLimits;
  const running: ReturnType<typeof postRaw>[] = [];
  while (running.length < concurrentUploads) {
    const slots = Math.min(running.length + uploadsPerSession, concurrentUploads);
    while (running.length < slots) running.push(postRaw(multipart()));
    await expect.poll(() => waiting.length).toBe(slots);
    // This customer has reached the limit per session. Others may upload up to the limit per process.
    await expectRefused(postRaw(multipart()), "rate_limited");
    browser = await anotherOwner(t);
  }
  await expectRefused(postRaw(multipart()), "rate_limited");
  for (const finish of waiting) finish();
  for (const outcome of await Promise.all(running)) expect(outcome.status).toBe(201);
  upstream.respond("POST /chats/chat_0001/files", 201, { item: aFile() });
  expect(await postRaw(multipart())).toMatchObject({ status: 201 });
});

/** Sends an upload whose body never arrives. `leave` disconnects. */
function silentUpload(from: TestBrowser, chatId: string, headers: Record<string, string> = {}) {
  const { promise: cancelled, resolve: leave } = Promise.withResolvers<void>();
  const init: RequestInit = {
    method: "POST",
    body: new ReadableStream({
      async pull(controller) {
        await cancelled;
        controller.error(new Error("The browser has left."));
      },
    }),
    headers: { "idempotency-key": freshKey(), ...ofBoundary("xyz"), ...headers },
  };
  return { response: from.send(`/api/chat/chats/${chatId}/files`, init), leave };
}

test("rejects silent uploads to unknown chats before they take a slot", async () => {
  const silent = [];
  for (let session = 0; session < bffLimits.concurrentUploads; session += 1) {
    const guest = await newGuest(t);
    silent.push(
      silentUpload(guest, "chat_9999"),
      silentUpload(guest, "chat_0001"),
      silentUpload(guest, "no"),
    );
  }
  // The BFF answers before the first byte of the body.
  const statuses = await Promise.all(silent.map(async ({ response }) => (await response).status));
  expect(statuses.filter((status) => status === 404)).toHaveLength(bffLimits.concurrentUploads * 2);
  expect(statuses.filter((status) => status === 400)).toHaveLength(bffLimits.concurrentUploads);
  expect(t.bff.uploadSlots.size()).toBe(0);
  expect(await postRaw(multipart())).toMatchObject({ status: 201 });
  for (const { leave } of silent) leave();
});

test("frees the slot of an upload that falls silent", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { response, leave } = silentUpload(browser, "chat_0001");
  await vi.waitFor(() => expect(t.bff.uploadSlots.size()).toBe(1));
  await vi.advanceTimersByTimeAsync(bffLimits.uploadIdleTime);
  expect((await response).status).toBe(503);
  expect(t.bff.uploadSlots.size()).toBe(0);
  leave();
});

test("leaves half of the slots to others when one address sends silent uploads", async () => {
  const proxied = ownBff({ ...environment, TRUST_PROXY_HOPS: "1" });
  const half = bffLimits.concurrentUploads / 2;
  const silent: ReturnType<typeof silentUpload>[] = [];
  while (silent.length < half) {
    const own = await anotherOwner(proxied);
    for (let file = 0; file < bffLimits.uploadsPerSession && silent.length < half; file += 1) {
      silent.push(silentUpload(own, "chat_0001", { "x-forwarded-for": "192.0.2.7" }));
    }
  }
  await expect.poll(() => proxied.bff.uploadSlots.size()).toBe(half);
  browser = await anotherOwner(proxied);
  const from = (address: string) =>
    postRaw(multipart(), { ...ofBoundary("xyz"), "x-forwarded-for": address });
  await expectRefused(from("192.0.2.7"), "rate_limited");
  expect(await from("192.0.2.8")).toMatchObject({ status: 201 });
  for (const { leave } of silent) leave();
  await Promise.all(silent.map(({ response }) => response));
  expect(proxied.bff.uploadSlots.size()).toBe(0);
  expect(await from("192.0.2.7")).toMatchObject({ status: 201 });
});

const filePath = "/api/chat/chats/chat_0001/files/file_0001";

/** The browser's response for a file that the Chat API sends with these headers. */
async function download(headers: Record<string, string>, bytes: string): Promise<Response> {
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, response) => {
    response.writeHead(200, headers);
    response.end(bytes, "latin1");
  });
  return browser.get(filePath);
}

const pictures: [string, string][] = [
  ["image/png", "\x89PNG\r\n\x1a\n----------"],
  ["image/jpeg", "\xff\xd8\xff\xe0--------------"],
  ["image/gif", "GIF89a------------"],
  ["image/webp", "RIFF----WEBPVP8 --"],
];

test("serves pictures inline and everything else as an attachment", async () => {
  for (const [type, bytes] of pictures) {
    const response = await download({ "content-type": type }, bytes);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("content-disposition")).toMatch(
      /^inline; filename="file\.(png|jpg|gif|webp)"/,
    );
    expect(Buffer.from(await response.arrayBuffer()).toString("latin1")).toBe(bytes);
  }
  for (const [type, bytes] of [
    ["application/pdf", "%PDF-1.7"],
    ["text/plain", "<script>alert(1)</script>"],
  ] as const) {
    const response = await download({ "content-type": type }, bytes);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("content-disposition")).toMatch(/^attachment/);
  }
});

test("serves mislabelled bytes as an attachment, and replaces unknown types", async () => {
  const lies: [string, string][] = [
    ["image/png", "<html><script>alert(1)</script>"],
    ["image/png", "PK\x03\x04"],
    ["image/png", "\xff\xd8\xff\xe0jpeg"],
    ["image/gif", "GIF8xa"],
  ];
  for (const [type, bytes] of lies) {
    expect(
      (await download({ "content-type": type }, bytes)).headers.get("content-disposition"),
      bytes,
    ).toMatch(/^attachment/);
  }
  for (const type of [
    "text/html",
    "image/svg+xml",
    "application/javascript",
    "text/html; charset=utf-8",
    "multipart/x-mixed-replace",
    "",
  ]) {
    const response = await download(type === "" ? {} : { "content-type": type }, "<script>alert(1)</script>");
    expect(response.headers.get("content-type"), type).toBe("application/octet-stream");
    expect(response.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; sandbox; frame-ancestors 'none'",
    );
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test("keeps the Chat API's file name from breaking out of Content-Disposition", async () => {
  const names: [string, string][] = [
    ['attachment; filename="a.txt"', "attachment; filename=\"a.txt\"; filename*=UTF-8''a.txt"],
    ["inline; filename=plain.txt", "attachment; filename=\"plain.txt\"; filename*=UTF-8''plain.txt"],
    [
      "attachment; filename=\"x\"; filename*=UTF-8''%E2%82%AC%0D%0Ax.txt",
      "attachment; filename=\"___x.txt\"; filename*=UTF-8''%E2%82%AC__x.txt",
    ],
    [
      'attachment; filename="a\\"; type=\\"b.html"',
      "attachment; filename=\"a_; type=_b.html.txt\"; filename*=UTF-8''a_%3B%20type%3D_b.html.txt",
    ],
    ["attachment; filename*=UTF-8''%E2%82", "attachment; filename=\"file.txt\"; filename*=UTF-8''file.txt"],
    ["attachment", "attachment; filename=\"file.txt\"; filename*=UTF-8''file.txt"],
    // Without its last dot, the name has the media type's extension.
    ['attachment; filename="note.txt."', "attachment; filename=\"note.txt\"; filename*=UTF-8''note.txt"],
    // The limit leaves room for the media type's extension.
    [`attachment; filename="${"x".repeat(300)}.exe"`, expect.stringMatching(/filename="x{196}\.txt";/)],
    ['attachment; filename="../../x"', "attachment; filename=\"_.._x.txt\"; filename*=UTF-8''_.._x.txt"],
  ];
  for (const [theirs, ours] of names) {
    const response = await download({ "content-type": "text/plain", "content-disposition": theirs }, "text");
    expect(response.headers.get("content-disposition"), theirs).toEqual(ours);
  }
});

test("ignores Range and sends the whole file", async () => {
  upstream.on("GET /chats/chat_0001/files/file_0001", ({ headers }, response) => {
    expect(headers.range).toBeUndefined();
    response.writeHead(200, { "content-type": "text/plain" });
    response.end("whole");
  });
  const response = await browser.get(filePath, { range: "bytes=0-1" });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("whole");
});

/**
 * Requests a file that never ends. `closed` resolves when the BFF has closed its connection to the Chat API.
 */
async function openFile(reader = browser): Promise<{ response: Response; closed: Promise<void> }> {
  const closed = Promise.withResolvers<void>();
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("x".repeat(1_000));
    response.on("close", () => closed.resolve());
  });
  return { response: await reader.get(filePath), closed: closed.promise };
}

test("limits a session's downloads and frees the slot of one that ends or fails", async () => {
  const own = await bffOfTest(upstream, environment);
  const { downloadsPerSession: length } = bffLimits;
  const open = await Promise.all(Array.from({ length }, () => openFile(own.browser)));
  await expectRefused(own.browser.get(filePath), "rate_limited");
  await open[0]?.response.body?.cancel();
  upstream.respond("GET /chats/chat_0001/files/file_0001", 404, errorBody("file_not_found"));
  for (let again = 0; again < 2; again += 1) await expectRefused(own.browser.get(filePath), "file_not_found");
  const { response } = await openFile(own.browser);
  for (const { body } of [response, ...open.slice(1).map((file) => file.response)]) await body?.cancel();
});

test("closes the connection to the Chat API when the browser cancels a download", async () => {
  const { response, closed } = await openFile();
  await response.body?.cancel();
  await closed;
});

test("closes both connections of a download that the browser does not read", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { response, closed } = await openFile();
  await vi.advanceTimersByTimeAsync(bffLimits.readerStallTime);
  await closed;
  await expect(response.text()).rejects.toThrow();
  expect(t.lines.findLast(({ route }) => route === "downloadFile")).toMatchObject({ outcome: "stalled" });
});

test("sends a file completely while the process stops", async () => {
  const own = startTestBff(environment);
  const reader = await signedIn(own);
  const more = Promise.withResolvers<void>();
  upstream.on("GET /chats/chat_0001/files/file_0001", async (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("x".repeat(1_000));
    await more.promise;
    response.end("the end");
  });
  const response = await reader.get(filePath);
  const stopped = own.stop();
  more.resolve();
  expect(await response.text()).toMatch(/^x{1000}the end$/);
  await stopped;
});

test("answers with an error when a file is cut off within its first bytes", async () => {
  for (const first of ["", "GIF"]) {
    upstream.on("GET /chats/chat_0001/files/file_0001", (_, response) => {
      response.writeHead(200, { "content-type": "image/gif", "content-length": "1000" });
      response.flushHeaders();
      response.write(first);
      setTimeout(() => response.destroy(), 20);
    });
    const response = await browser.get(filePath);
    expect(response.status).toBe(502);
    expect((await response.json()).error.code).toBe("upstream_unreachable");
  }
  expect(t.lines.filter(({ event }) => event === "unexpected_error")).toEqual([]);
});

test("aborts a file that is too long or ends early", async () => {
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const more = () => {
      while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return;
    };
    response.on("drain", more);
    more();
  });
  await expect((await browser.get(filePath)).arrayBuffer()).rejects.toThrow();
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": "1000" });
    response.write("x".repeat(999));
    setImmediate(() => response.destroy());
  });
  await expect(browser.get(filePath).then((response) => response.arrayBuffer())).rejects.toThrow();
});

test("delivers a slow download that never stalls", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const pieces = Array.from({ length: 4 }, (_, index) => new Uint8Array(16).fill(index));
  const slow = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        vi.advanceTimersByTime(bffLimits.readerStallTime - 1);
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  const outcomes: string[] = [];
  const reader = slow.getReader();
  const file = { headers: new Headers(), read: () => reader.read(), cancel: () => reader.cancel() };
  const { body } = await fileResponse(file, () => (outcome) => void outcomes.push(outcome));
  expect((await new Response(body as ReadableStream<Uint8Array>).bytes()).byteLength).toBe(64);
  expect(outcomes).toEqual(["done"]);
});

test("cleans a name with thousands of blanks and dots in linear time", () => {
  // The longest name that a part's headers or a response of the Chat API can contain.
  const name = `x${" .".repeat(8_000)}x.txt`;
  const before = process.threadCpuUsage();
  expect(safeFilename(name)).toMatch(/^x[ .]+\.txt$/);
  // Quadratic matching took one and a half seconds.
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(300);
});

test("names a file whose own name nobody sees", () => {
  for (const name of ["", "...", "\u3164", "\u200b.\u2060"])
    expect(safeFilename(name)).toMatch(/^file$|^\u200b/);
});

test("removes blanks and dots around a name", () => {
  for (const name of [". a.txt", "a.txt. .", "\u3000.a.txt\u00a0", " .a.txt"])
    expect(safeFilename(name), JSON.stringify(name)).toBe("a.txt");
});
