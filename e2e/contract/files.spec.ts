import { png } from "../support/attachments.ts";
import { itemOf } from "./support/api.ts";
import { exchangeBytes, type MultipartPart, multipart, statusOf } from "./support/http.ts";
import { largestFile, samples, textFile } from "./support/samples.ts";
import type { File } from "./support/shapes.ts";
import { limits } from "./support/specification.ts";
import { choice, expect, expectError, lab, skip, test } from "./support/test.ts";

const dayMilliseconds = limits.daySeconds * 1000;
const filePart = { name: "file", filename: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") };

for (const sample of samples) {
  test(
    `stores ${sample.mediaType} byte for byte`,
    ["upload.type", "download.bytes"],
    async ({ api, planned }) => {
      const { id: chatId } = await planned("files");
      const file = await api.uploadFile(chatId, sample);
      expect(file).toMatchObject({
        chatId,
        filename: sample.filename,
        mediaType: sample.mediaType,
        byteSize: sample.bytes.length,
      });
      // "A non-null `expiresAt` (one day after upload) until it is sent".
      const lifetime = Date.parse(file.expiresAt ?? "") - Date.parse(file.createdAt);
      expect(Math.abs(lifetime - dayMilliseconds)).toBeLessThanOrEqual(api.exact ? 0 : 60_000);

      const download = await api.call("downloadFile", { chatId, fileId: file.id });
      expect(download.status).toBe(200);
      expect(download.bytes.equals(sample.bytes)).toBe(true);
      expect(download.headers["content-type"]?.split(";")[0]).toBe(sample.mediaType);
      expect(download.headers["content-disposition"]).toBeTruthy();
    },
  );
}

test("stores 4,194,304 bytes and rejects 4,194,305 with 413", ["upload.size"], async ({ api, planned }) => {
  const { id: chatId } = await planned("files");
  const file = await api.uploadFile(chatId, { bytes: largestFile });
  expect(file.byteSize).toBe(limits.fileBytes);
  const over = Buffer.alloc(limits.fileBytes + 1, "a");
  expectError(await api.upload(chatId, { bytes: over }), "payload_too_large");
});

test("limits the size of a chunked upload", ["upload.size"], async ({ api, sharedChatId: chatId }) => {
  const form = multipart([{ ...filePart, bytes: Buffer.alloc(limits.fileBytes + 1, "a") }]);
  const body = [form.body.subarray(0, 70_000), form.body.subarray(70_000)];
  expectError(await api.uploadForm(chatId, { ...form, body }), "payload_too_large");
});

test("stores a small file from a chunked upload", [lab, "upload.part"], async ({ api, freshChat }) => {
  const form = multipart([{ ...filePart, ...textFile("in chunks") }]);
  const body = Array.from(form.body, (byte) => Uint8Array.of(byte));
  const response = await api.uploadForm(freshChat.id, { ...form, body });
  expect(itemOf<File>(response, 201).byteSize).toBe(9);
});

const wrongParts: [what: string, parts: MultipartPart[]][] = [
  ["no part", []],
  ["two files", [filePart, filePart]],
  ["a part named File", [{ ...filePart, name: "File" }]],
  ["a part named files[]", [{ ...filePart, name: "files[]" }]],
  ["only a text part", [{ name: "note", bytes: Buffer.from("a") }]],
  ["another text part behind the file", [filePart, { name: "note", bytes: Buffer.from("a") }]],
  ["another text part before the file", [{ name: "note", bytes: Buffer.from("a") }, filePart]],
  ["another file", [filePart, { ...filePart, name: "other" }]],
];

for (const [what, parts] of wrongParts) {
  test(`rejects an upload with ${what}`, ["upload.part"], async ({ api, sharedChatId: chatId }) => {
    expectError(await api.uploadForm(chatId, multipart(parts)), "invalid_request");
  });
}

test("rejects a malformed multipart body", ["upload.part"], async ({ api, sharedChatId: chatId }) => {
  const contentType = "multipart/form-data; boundary=edge";
  const cut = multipart([filePart], { boundary: "edge", end: false });
  for (const body of ["", "no form at all", "--edge\r\n", "--other\r\n\r\na\r\n--other--\r\n", cut.body]) {
    expectError(await api.uploadForm(chatId, { body, contentType }), "invalid_request");
  }
});

test(
  "accepts a preamble, an epilogue and a quoted boundary of 70 characters",
  [lab, "upload.part"],
  async ({ api, freshChat }) => {
    const boundary = "b".repeat(70);
    const form = multipart([filePart], { boundary });
    const body = Buffer.concat([Buffer.from("preamble\r\n"), form.body, Buffer.from("epilogue")]);
    const contentType = `multipart/form-data; boundary="${boundary}"`;
    const response = await api.uploadForm(freshChat.id, { body, contentType });
    expect(itemOf<File>(response, 201).byteSize).toBe(1);
  },
);

test(
  "rejects other content types than multipart/form-data with 415",
  ["upload.part"],
  async ({ api, sharedChatId: chatId }) => {
    for (const contentType of [
      "application/json",
      "application/x-www-form-urlencoded",
      "image/png",
      "text/plain",
      "application/octet-stream",
    ]) {
      expectError(await api.uploadForm(chatId, { body: "{}", contentType }), "unsupported_media_type");
    }
    expectError(await api.call("uploadFile", { chatId, body: "x" }), "unsupported_media_type");
  },
);

const otherTypes = [
  "image/svg+xml",
  "text/html",
  "application/xhtml+xml",
  "application/zip",
  "application/javascript",
  "image/bmp",
  "image/jpg",
  "video/mp4",
  "text/csv",
  "text/markdown",
  "application/octet-stream",
];

for (const mediaType of otherTypes) {
  test(
    `rejects ${mediaType} as an unsupported file`,
    ["upload.type"],
    async ({ api, sharedChatId: chatId }) => {
      const response = await api.upload(chatId, { bytes: Buffer.from("<svg/>"), filename: "a", mediaType });
      expectError(response, "unsupported_file");
    },
  );
}

const disguised: [what: string, mediaType: string, bytes: Uint8Array][] = [
  ["HTML as PNG", "image/png", Buffer.from("<!doctype html><script>alert(1)</script>")],
  ["ZIP as JPEG", "image/jpeg", Buffer.from("504b0304140000000800", "hex")],
  ["a program as GIF", "image/gif", Buffer.from("4d5a90000300000004000000ffff0000", "hex")],
  ["PNG as JPEG", "image/jpeg", png],
  ["text as PDF", "application/pdf", Buffer.from("no PDF")],
  ["a PNG as text", "text/plain", png],
];

for (const [what, mediaType, bytes] of disguised) {
  test(`rejects ${what}`, [choice, "upload.type"], async ({ api, sharedChatId: chatId }) => {
    expectError(await api.upload(chatId, { bytes, filename: "a", mediaType }), "unsupported_file");
  });
}

test(
  "ignores letter case and parameters of a part's media type",
  [lab, "upload.type"],
  async ({ api, freshChat }) => {
    for (const [mediaType, bytes] of [
      ["IMAGE/PNG", png],
      ["text/plain; charset=utf-8", Buffer.from("a")],
    ] as const) {
      const file = await api.uploadFile(freshChat.id, { bytes, mediaType });
      expect(file.mediaType.toLowerCase().split(";")[0]).toBe(mediaType.toLowerCase().split(";")[0]);
      const download = await api.call("downloadFile", { chatId: freshChat.id, fileId: file.id });
      expect(download.headers["content-type"]).toBe(file.mediaType);
    }
  },
);

test("stores an empty text file", [lab, "upload.size", "download.bytes"], async ({ api, freshChat }) => {
  const file = await api.uploadFile(freshChat.id, textFile(""));
  expect(file.byteSize).toBe(0);
  const download = await api.call("downloadFile", { chatId: freshChat.id, fileId: file.id });
  expect(download.bytes).toHaveLength(0);
});

const names = [
  "holiday photo (1).txt",
  "Fahrradschlüssel – ключ – 鍵 🔑.txt",
  "no-extension",
  "semi;colon, comma's.txt",
  "100%.txt",
  "CON",
  "a".repeat(100),
];

for (const filename of names) {
  test(
    `keeps the name ${filename.slice(0, 40)} and sends it with the download`,
    [lab, "download.bytes"],
    async ({ api, freshChat }) => {
      const file = await api.uploadFile(freshChat.id, { ...textFile("a"), filename });
      expect(file.filename).toBe(filename);
      const download = await api.call("downloadFile", { chatId: freshChat.id, fileId: file.id });
      const disposition = download.headers["content-disposition"] ?? "";
      // RFC 6266: the extended parameter carries any name.
      const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
      const plain = /filename="((?:[^"\\]|\\.)*)"|filename=([^;"\s]+)/.exec(disposition);
      const name =
        extended === undefined
          ? (plain?.[1] ?? plain?.[2] ?? "").replaceAll(/\\(.)/g, "$1")
          : decodeURIComponent(extended);
      expect(name).toBe(filename);
    },
  );
}

const hostileNames: [what: string, filename: string][] = [
  ["a path", "../../etc/passwd"],
  ["a Windows path", "C:\\temp\\x.txt"],
  ["line breaks", "a\r\nSet-Cookie: x=1.txt"],
  ["a quote", 'a".txt'],
  ["a null", "a\u0000.txt"],
  ["300 characters", `${"n".repeat(300)}.txt`],
  ["only dots", "..."],
  ["a right-to-left override", "photo\u202egnp.exe"],
  ["nothing", ""],
];

for (const [what, filename] of hostileNames) {
  test(`handles a name with ${what} safely`, [lab, "download.bytes"], async ({ api, freshChat }) => {
    const response = await api.upload(freshChat.id, { ...textFile("a"), filename });
    if (response.status >= 400) {
      expectError(response, "invalid_request");
      return;
    }
    const file = itemOf<File>(response, 201);
    expect(file.filename).not.toMatch(/[\r\n\0]/);
    const download = await api.call("downloadFile", { chatId: freshChat.id, fileId: file.id });
    expect(download.text).toBe("a");
    expect(download.headers["set-cookie"]).toBeUndefined();
    const disposition = download.headers["content-disposition"] ?? "";
    expect(disposition).toMatch(/^[\x20-\x7e]+$/);
    const plain = /filename="((?:[^"\\]|\\.)*)"/.exec(disposition)?.[1] ?? "";
    expect(plain).not.toMatch(/[/\\]/);
  });
}

test(
  "serves files with headers that prevent scripts from running",
  [choice, "download.bytes"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("files");
    const page = Buffer.from("<script>alert(1)</script>");
    const file = await api.uploadFile(chatId, { bytes: page, filename: "page.html" });
    const { headers } = await api.call("downloadFile", { chatId, fileId: file.id });
    expect(headers["content-disposition"]).toMatch(/^attachment/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-security-policy"]).toContain("sandbox");
    expect(headers["content-length"]).toBe(`${page.byteLength}`);
  },
);

test(
  "answers 404 for an unknown file and for another chat's",
  ["download.bytes"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("files");
    const other = await planned("reading");
    const file = await api.uploadFile(chatId, textFile("mine"));
    for (const fileId of ["unknown-file-id", `${file.id.slice(0, -1)}${file.id.endsWith("A") ? "B" : "A"}`]) {
      expectError(await api.call("downloadFile", { chatId, fileId }), "file_not_found");
    }
    expectError(await api.call("downloadFile", { chatId: other.id, fileId: file.id }), "file_not_found");
  },
);

test(
  "returns the same file for a repeated upload, and rejects other bytes under its key as a conflict",
  ["idempotency.replay", "idempotency.conflict"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("files");
    const key = crypto.randomUUID();
    const once = itemOf<File>(await api.upload(chatId, textFile("twice"), { key }), 201);
    expectError(await api.upload(chatId, textFile("twicE"), { key }), "idempotency_conflict");
    // In a body with another boundary.
    expect(itemOf<File>(await api.upload(chatId, textFile("twice"), { key }), 200)).toEqual(once);
  },
);

test(
  "rejects another name or chat under the same key as a conflict",
  [choice, "idempotency.conflict"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("files");
    const key = crypto.randomUUID();
    await api.upload(chatId, textFile("twice"), { key });
    const renamed = await api.upload(chatId, { ...textFile("twice"), filename: "other.txt" }, { key });
    expectError(renamed, "idempotency_conflict");
    const other = await planned("reading");
    expectError(await api.upload(other.id, textFile("twice"), { key }), "idempotency_conflict");
  },
);

test(
  "rejects the 41st file of a chat, but not a repeated upload",
  ["upload.limits"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("manyFiles");
    const keys = Array.from({ length: limits.filesPerChat }, () => crypto.randomUUID());
    for (const [n, key] of keys.entries()) await api.uploadFile(chatId, textFile(`${n}`), { key });
    itemOf<File>(await api.upload(chatId, textFile("0"), { key: keys[0] ?? null }), 200);
    expectError(await api.upload(chatId, textFile("one more")), "file_limit_reached");
  },
);

test(
  "rejects the first byte above the files' limit in a chat",
  [lab, "upload.limits"],
  async ({ api, lab, chatId }) => {
    await lab.changeLimits({ fileBytesPerChat: limits.fileBytes });
    await api.uploadFile(chatId, { bytes: largestFile });
    expectError(await api.upload(chatId, textFile("x")), "file_storage_limit");
  },
);

test("rejects the first byte above 80 MiB in a chat", ["upload.limits"], async ({ api, planned, target }) => {
  if (!target.live) skip("sends 80 MiB: the test above checks the same rule at a limit that the lab lowers");
  const { id: chatId } = await planned("muchStorage");
  const fitting = limits.storageBytes / limits.fileBytes;
  for (let n = 0; n < fitting; n += 1) await api.uploadFile(chatId, { bytes: largestFile });
  expectError(await api.upload(chatId, textFile("x")), "file_storage_limit");
});

test(
  "never exceeds the file limit under concurrent uploads",
  [lab, "upload.limits"],
  async ({ api, chatId }) => {
    for (let n = 0; n < 38; n += 1) await api.uploadFile(chatId, textFile(`${n}`));
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, n) => api.upload(chatId, textFile(`late ${n}`))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const response of responses)
      if (response.status !== 201) expectError(response, "file_limit_reached");
  },
);

test(
  "deletes an unsent file after a day and restores it on a repeated upload",
  [lab, "states.file"],
  async ({ api, lab, chatId }) => {
    const key = crypto.randomUUID();
    const file = await api.uploadFile(chatId, textFile("sent"));
    await api.sendMessage(chatId, { fileIds: [file.id] });
    const unsent = await api.uploadFile(chatId, textFile("unsent"), { key });

    await lab.advance(limits.daySeconds - 60);
    expect((await api.call("downloadFile", { chatId, fileId: unsent.id })).status).toBe(200);
    await lab.advance(120);

    expectError(await api.call("downloadFile", { chatId, fileId: unsent.id }), "file_not_found");
    expectError(await api.call("sendMessage", { chatId, json: { fileIds: [unsent.id] } }), "file_not_found");
    expect((await api.call("downloadFile", { chatId, fileId: file.id })).text).toBe("sent");

    itemOf<File>(await api.upload(chatId, textFile("unsent"), { key }), 200);
    expect((await api.call("downloadFile", { chatId, fileId: unsent.id })).text).toBe("unsent");
  },
);

test("rejects an upload with too many parts", [lab, "upload.part"], async ({ api, freshChat }) => {
  const parts = Array.from({ length: 20_000 }, (_, n) => ({ name: `p${n}`, bytes: new Uint8Array() }));
  const many = multipart(parts, { boundary: "edge" });
  expectError(await api.uploadForm(freshChat.id, many), ["invalid_request", "payload_too_large"]);
});

test("rejects a picture of more than 50 million pixels", [lab, "upload.type"], async ({ api, freshChat }) => {
  const huge = Buffer.from(png);
  huge.writeUInt32BE(50_000, 16);
  huge.writeUInt32BE(1_000, 20);
  const upload = { bytes: huge, filename: "huge.png", mediaType: "image/png" };
  await api.uploadFile(freshChat.id, upload);
  huge.writeUInt32BE(1_001, 20);
  expectError(await api.upload(freshChat.id, { ...upload, bytes: huge }), "unsupported_file");
});

test(
  "lets only one of two concurrent messages send a file",
  [lab, "send.files", "states.file"],
  async ({ api, chatId }) => {
    const file = await api.uploadFile(chatId, textFile("once"));
    const send = () => api.call("sendMessage", { chatId, json: { fileIds: [file.id] } });
    const responses = await Promise.all([send(), send()]);
    expect(responses.map(({ status }) => status)).toContain(201);
    const messages = (await api.allMessages(chatId)).filter(({ files }) => files.length > 0);
    expect(messages).toHaveLength(responses.filter(({ status }) => status === 201).length);
  },
);

test(
  "rejects a file that is not ready until its upload is repeated",
  [lab, "send.files", "download.bytes"],
  async ({ api, lab, chatId }) => {
    const key = crypto.randomUUID();
    const file = itemOf<File>(await api.upload(chatId, textFile("late"), { key }), 201);
    await lab.setFileReady(file.id, false);
    const sendKey = crypto.randomUUID();
    const json = { fileIds: [file.id] };
    expectError(await api.call("downloadFile", { chatId, fileId: file.id }), "file_not_ready");
    expectError(await api.call("sendMessage", { chatId, json, key: sendKey }), "file_not_ready");
    expect((await api.allMessages(chatId)).length).toBe(0);
    // "Upload it again with the same `Idempotency-Key`."
    expect(itemOf<File>(await api.upload(chatId, textFile("late"), { key }), 200).id).toBe(file.id);
    expect((await api.call("downloadFile", { chatId, fileId: file.id })).text).toBe("late");
    await api.sendMessage(chatId, json, { key: sendKey });
  },
);

test(
  "stores one file when an interrupted upload is repeated",
  [lab, "idempotency.once"],
  async ({ api, chatId }) => {
    const bytes = Buffer.alloc(200_000, "cut ");
    const form = multipart([{ ...filePart, bytes }]);
    const key = crypto.randomUUID();
    const lengths = { "Content-Type": form.contentType, "Content-Length": `${form.body.length}` };
    const head = api.rawHead("uploadFile", { chatId, key }, lengths);
    for (const tenths of [0, 1, 5, 9]) {
      const part = form.body.subarray(0, Math.floor((form.body.length * tenths) / 10));
      const received = await exchangeBytes(api.target.base, [head, part], {
        timeoutMilliseconds: 5_000,
        halfClose: true,
      });
      const status = statusOf(received);
      expect(status === undefined || status >= 400, received).toBe(true);
    }
    const file = await api.uploadFile(chatId, { bytes, filename: filePart.filename }, { key });
    const download = await api.call("downloadFile", { chatId, fileId: file.id });
    expect(download.bytes.equals(bytes)).toBe(true);
  },
);

test("ignores Range and sends the whole file", [lab, "download.bytes"], async ({ api, chatId }) => {
  const file = await api.uploadFile(chatId, textFile("0123456789"));
  for (const headers of [{ Range: "bytes=2-4" }, { "If-None-Match": "*" }]) {
    const response = await api.call("downloadFile", { chatId, fileId: file.id, headers });
    expect(response.status).toBe(200);
    expect(response.text).toBe("0123456789");
  }
});
