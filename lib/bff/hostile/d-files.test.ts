/** Hostile cases D, 67 to 84: uploads that the BFF refuses or passes on, and files on their way to the browser. */
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { fileMediaTypes, limits } from "#lib/chat-api/limits.ts";
import { bffLimits } from "../limits.ts";
import { hostilePeer, ownerOfChat, sharedBff, signedIn } from "../testing/hostile-set-up.ts";
import { json } from "../testing/hostile-upstream.ts";
import { freshKey, startTestBff, type TestBrowser } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();
const t = sharedBff(environment);
let browser: TestBrowser;
const mebibyte = 1024 * 1024;

const aFile = {
  id: "file_0001",
  chatId: "chat_0001",
  filename: "a.txt",
  mediaType: "text/plain",
  byteSize: 4,
  createdAt: "2026-03-02T09:30:00.000Z",
  expiresAt: null,
};
beforeEach(async () => {
  browser = await ownerOfChat(t, upstream);
  upstream.on("POST /chats/chat_0001/files", (_, answer) => json(answer, 201, { item: aFile }));
});

interface Outcome {
  status: number;
  code: string | undefined;
  field: string | undefined;
}

const path = "/api/chats/chat_0001/files";
const uploads = () => upstream.seen.filter(({ method }) => method === "POST");

async function post(body: BodyInit, headers: Record<string, string> = {}): Promise<Outcome> {
  const init: RequestInit = { method: "POST", body, headers: { "idempotency-key": freshKey(), ...headers } };
  const response = await browser.send(path, init);
  const { error } = await response.json();
  return { status: response.status, code: error?.code, field: error?.field };
}

interface PartOptions {
  bytes?: string | Uint8Array;
  type?: string | undefined;
  disposition?: string;
  boundary?: string;
  extraHeaders?: string;
  after?: string;
}

/** One part, written by hand. */
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

const ofBoundary = (boundary: string) => ({ "content-type": `multipart/form-data; boundary=${boundary}` });

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

function inPieces(body: Buffer, length: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= body.length) controller.close();
      else controller.enqueue(new Uint8Array(body.subarray(at, at + length)));
      at += length;
    },
  });
}

test("a browser's form arrives with its bytes, its type and its name", async () => {
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

test("the same upload in pieces of any length is the same file", async () => {
  const content = "line\r\n--xy\r\n--xyzz is not the end\r\n-".replace("--xyzz", "--xyq");
  const body = multipart({ bytes: content });
  for (let length = 1; length <= body.length; length += 1) {
    expect(await post(inPieces(body, length), ofBoundary("xyz")), `pieces of ${length}`).toMatchObject({
      status: 201,
    });
    expect(received().bytes).toBe(content);
  }
});

test("#67 4 MiB pass and one byte more does not: whole, in pieces, with a false length", async () => {
  const [fits, over] = [
    multipart({ bytes: Buffer.alloc(limits.fileBytes, 1) }),
    multipart({ bytes: Buffer.alloc(limits.fileBytes + 1, 1) }),
  ];
  expect(await postRaw(fits)).toMatchObject({ status: 201 });
  expect(await post(inPieces(fits, 65_536), ofBoundary("xyz"))).toMatchObject({ status: 201 });
  expect(await postRaw(over)).toMatchObject({ status: 413, code: "payload_too_large" });
  expect(await post(inPieces(over, 65_536), { ...ofBoundary("xyz"), "content-length": "100" })).toMatchObject(
    { code: "payload_too_large" },
  );
  expect(uploads()).toHaveLength(2);
});

test("#67 an endless upload is answered as soon as it is too large, and left a little later", async () => {
  let sent = 0;
  const left = Promise.withResolvers<void>();
  const head = multipart({ bytes: "", after: "" });
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(sent === 0 ? new Uint8Array(head) : new Uint8Array(65_536));
      sent += 65_536;
    },
    cancel: () => left.resolve(),
  });
  expect(await post(endless, ofBoundary("xyz"))).toMatchObject({ code: "payload_too_large" });
  expect(sent).toBeLessThan(limits.fileBytes + bffLimits.multipartOverheadBytes + mebibyte);
  await left.promise;
  expect(sent).toBeLessThan(limits.fileBytes + bffLimits.lingerBytes + mebibyte);
});

test("#68 an empty file is passed on: what it means is for the Chat API to say", async () => {
  expect(await postRaw(multipart({ bytes: "" }))).toMatchObject({ status: 201 });
  expect(received().bytes).toBe("");
});

test("#69 anything but one part named file is refused", async () => {
  const part = (disposition: string) => multipart({ disposition }).toString("latin1");
  const refused: Record<string, string> = {
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
  for (const [what, body] of Object.entries(refused)) {
    expect(await postRaw(body), what).toEqual({ status: 400, code: "invalid_request", field: "/file" });
  }
  for (const type of [
    "application/x-www-form-urlencoded",
    "application/json",
    "multipart/mixed; boundary=xyz",
    "multipart/form-data",
  ]) {
    expect(await postRaw(multipart(), { "content-type": type }), type).toMatchObject({
      status: 415,
      code: "unsupported_media_type",
    });
  }
  expect(uploads()).toEqual([]);
});

test("#70 200,000 parts, 20,000 headers and a header of 1 MB are refused early", async () => {
  const bombs = [
    Buffer.from('--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(200_000)),
    multipart({ extraHeaders: "X-A: b\r\n".repeat(20_000) }),
    multipart({ extraHeaders: `X-A: ${"b".repeat(mebibyte)}\r\n` }),
    multipart({ extraHeaders: "X-A: b\r\n".repeat(9) }),
  ];
  for (const bomb of bombs) {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= bomb.length) controller.close();
        else controller.enqueue(new Uint8Array(bomb.subarray(sent, sent + 4_096)));
        sent += 4_096;
      },
    });
    expect(await post(body, ofBoundary("xyz"))).toEqual({
      status: 400,
      code: "invalid_request",
      field: "/file",
    });
    // What was not read takes no memory.
    expect(sent).toBeLessThan(64 * 1024);
  }
});

test("#71 boundaries: 70 characters pass, 71 do not; a preamble and a missing end are refused, an epilogue is not read", async () => {
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

test("#72 only the contract's types pass, by their bare names", async () => {
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
    expect(await postRaw(multipart({ type })), type).toEqual({
      status: 415,
      code: "unsupported_file",
      field: "/file",
    });
  }
});

test("#75 file names lose what is not a name: paths, line breaks, quotes, NUL, bidi marks, length", async () => {
  const names: [string, string][] = [
    ["../../etc/passwd", "_.._etc_passwd"],
    ["C:\\temp\\a.txt", "C__temp_a.txt"],
    ["a%0D%0AX-Evil: 1.txt", "a__X-Evil_ 1.txt"],
    ["a%22b.txt", "a_b.txt"],
    ["a\u0000b.txt", "a_b.txt"],
    ["\u202egnp.exe", "_gnp.exe"],
    ["...", "file"],
    ["   ", "file"],
    ["CON", "CON"],
    ["\u{1f600}.png", "\u{1f600}.png"],
    ["\u0646\u0635.txt", "\u0646\u0635.txt"],
    ["e\u0301.txt", "\u00e9.txt"],
  ];
  for (const [name, kept] of names) {
    expect(
      await postRaw(multipart({ disposition: `form-data; name="file"; filename="${name}"` })),
      name,
    ).toMatchObject({ status: 201 });
    expect(received().filename).toBe(kept);
  }
  const long = `${"\u{1f600}".repeat(150)}.jpeg`;
  await postRaw(multipart({ disposition: `form-data; name="file"; filename="${long}"` }));
  expect(received().filename.length).toBeLessThanOrEqual(200);
  expect(received().filename).toMatch(/^(\u{1f600})+\.jpeg$/u);
});

test("#77 a retry with another boundary is the same request upstream: same key, same name, type and bytes", async () => {
  const key = { "idempotency-key": freshKey() };
  for (const boundary of ["one", "two"])
    await post(new Uint8Array(multipart({ boundary })), { ...ofBoundary(boundary), ...key });
  const [first, second] = uploads().map(({ headers }) => headers["idempotency-key"]);
  expect(first).toBe(second);
});

test("#79 an upload that is cut anywhere is refused and nothing is sent on", async () => {
  const body = multipart({ bytes: Buffer.alloc(10_000, 7) });
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const cut = Math.floor((body.length * tenth) / 10);
    let sent = false;
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) controller.error(new Error("connection lost"));
        else controller.enqueue(new Uint8Array(body.subarray(0, Math.max(1, cut))));
        sent = true;
      },
    });
    expect(await post(broken, ofBoundary("xyz"))).toMatchObject({ status: 400, code: "invalid_request" });
    expect(await postRaw(body.subarray(0, cut)), `cut at ${cut}`).toMatchObject({
      status: 400,
      field: "/file",
    });
  }
  expect(uploads()).toEqual([]);
});

test("as many uploads at a time as there are places, and a message's files of one session; the next is told to come back", async () => {
  const waiting: (() => void)[] = [];
  upstream.on("POST /chats/chat_0001/files", async (_, answer) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    json(answer, 201, { item: aFile });
  });
  const { concurrentUploads, uploadsPerSession } = bffLimits;
  const running: ReturnType<typeof postRaw>[] = [];
  for (let places = uploadsPerSession; places <= concurrentUploads; places += uploadsPerSession) {
    for (let file = 0; file < uploadsPerSession; file += 1) running.push(postRaw(multipart()));
    await expect.poll(() => waiting.length).toBe(places);
    // This session has its share: another one finds a place, as long as there are any.
    expect(await postRaw(multipart())).toMatchObject({ status: 429, code: "rate_limited" });
    browser = await signedIn(t);
  }
  expect(await postRaw(multipart())).toMatchObject({ status: 429, code: "rate_limited" });
  for (const finish of waiting) finish();
  for (const outcome of await Promise.all(running)) expect(outcome.status).toBe(201);
  upstream.on("POST /chats/chat_0001/files", (_, answer) => json(answer, 201, { item: aFile }));
  expect(await postRaw(multipart())).toMatchObject({ status: 201 });
});

const filePath = "/api/chats/chat_0001/files/file_0001";

/** What the browser gets of a file that the Chat API sends so. */
async function download(headers: Record<string, string>, bytes: string): Promise<Response> {
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, answer) => {
    answer.writeHead(200, headers);
    answer.end(bytes, "latin1");
  });
  return browser.get(filePath);
}

const pictures: [string, string][] = [
  ["image/png", "\x89PNG\r\n\x1a\n----------"],
  ["image/jpeg", "\xff\xd8\xff\xe0--------------"],
  ["image/gif", "GIF89a------------"],
  ["image/webp", "RIFF----WEBPVP8 --"],
];

test("#72 #84 a picture opens inside the page, everything else is saved", async () => {
  for (const [type, bytes] of pictures) {
    const response = await download({ "content-type": type }, bytes);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("content-disposition")).toBe(
      "inline; filename=\"file\"; filename*=UTF-8''file",
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

test("#73 #84 bytes that are not what they are called are saved, and foreign types lose their names", async () => {
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

test("#75 #84 the name in a disposition of the Chat API's cannot break out of ours", async () => {
  const names: [string, string][] = [
    ['attachment; filename="a.txt"', "attachment; filename=\"a.txt\"; filename*=UTF-8''a.txt"],
    ["inline; filename=plain.txt", "attachment; filename=\"plain.txt\"; filename*=UTF-8''plain.txt"],
    [
      "attachment; filename=\"x\"; filename*=UTF-8''%E2%82%AC%0D%0Ax.txt",
      "attachment; filename=\"___x.txt\"; filename*=UTF-8''%E2%82%AC__x.txt",
    ],
    [
      'attachment; filename="a\\"; type=\\"b.html"',
      "attachment; filename=\"a_; type=_b.html\"; filename*=UTF-8''a_%3B%20type%3D_b.html",
    ],
    ["attachment; filename*=UTF-8''%E2%82", "attachment; filename=\"file\"; filename*=UTF-8''file"],
    ["attachment", "attachment; filename=\"file\"; filename*=UTF-8''file"],
    ['attachment; filename="../../x"', "attachment; filename=\"_.._x\"; filename*=UTF-8''_.._x"],
  ];
  for (const [theirs, ours] of names) {
    const response = await download({ "content-type": "text/plain", "content-disposition": theirs }, "text");
    expect(response.headers.get("content-disposition"), theirs).toBe(ours);
  }
});

test("#83 ranges are ignored: the whole file comes", async () => {
  upstream.on("GET /chats/chat_0001/files/file_0001", ({ headers }, answer) => {
    expect(headers.range).toBeUndefined();
    answer.writeHead(200, { "content-type": "text/plain" });
    answer.end("whole");
  });
  const response = await browser.get(filePath, { range: "bytes=0-1" });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("whole");
});

test("#83 a browser that leaves in the middle frees the connection to the Chat API", async () => {
  const closed = Promise.withResolvers<void>();
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, answer) => {
    answer.writeHead(200, { "content-type": "text/plain" });
    answer.write("x".repeat(1_000));
    answer.on("close", () => closed.resolve());
  });
  const response = await browser.get(filePath);
  await response.body?.cancel();
  await closed.promise;
});

test("#83 a browser that takes nothing of a file is let go after its time, and the Chat API's connection with it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = Promise.withResolvers<void>();
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, answer) => {
    answer.writeHead(200, { "content-type": "text/plain" });
    answer.write("x".repeat(1_000));
    answer.on("close", () => closed.resolve());
  });
  const response = await browser.get(filePath);
  await vi.advanceTimersByTimeAsync(bffLimits.readerStallTime);
  await closed.promise;
  await expect(response.text()).rejects.toThrow();
  expect(t.lines.findLast(({ route }) => route === "downloadFile")).toMatchObject({ outcome: "stalled" });
});

test("P14 a process that stops lets a file arrive whole", async () => {
  const own = startTestBff(environment);
  const reader = own.browser();
  reader.cookie = browser.cookie;
  const more = Promise.withResolvers<void>();
  upstream.on("GET /chats/chat_0001/files/file_0001", async (_, answer) => {
    answer.writeHead(200, { "content-type": "text/plain" });
    answer.write("x".repeat(1_000));
    await more.promise;
    answer.end("the end");
  });
  const response = await reader.get(filePath);
  const stopped = own.stop();
  more.resolve();
  expect(await response.text()).toMatch(/^x{1000}the end$/);
  await stopped;
});

test("#84 a file that breaks off before its first bytes is an answer of its own, and no fault of ours", async () => {
  for (const first of ["", "GIF"]) {
    upstream.on("GET /chats/chat_0001/files/file_0001", (_, answer) => {
      answer.writeHead(200, { "content-type": "image/gif", "content-length": "1000" });
      answer.flushHeaders();
      answer.write(first);
      setTimeout(() => answer.destroy(), 20);
    });
    const response = await browser.get(filePath);
    expect(response.status).toBe(502);
    expect((await response.json()).error.code).toBe("upstream_unreachable");
  }
  expect(t.lines.filter(({ event }) => event === "fault")).toEqual([]);
});

test("#84 a file longer than any file breaks off, and one that ends early does not end well", async () => {
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, answer) => {
    answer.writeHead(200, { "content-type": "text/plain" });
    const more = () => {
      while (answer.write(Buffer.alloc(65_536))) if (answer.destroyed) return;
    };
    answer.on("drain", more);
    more();
  });
  await expect((await browser.get(filePath)).arrayBuffer()).rejects.toThrow();
  upstream.on("GET /chats/chat_0001/files/file_0001", (_, answer) => {
    answer.writeHead(200, { "content-type": "text/plain", "content-length": "1000" });
    answer.write("x".repeat(999));
    setImmediate(() => answer.destroy());
  });
  await expect(browser.get(filePath).then((response) => response.arrayBuffer())).rejects.toThrow();
});
