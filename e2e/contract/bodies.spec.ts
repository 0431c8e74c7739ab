import { gzipSync } from "node:zlib";
import { bodyOf, exchangeBytes, statusOf } from "./support/http.ts";
import { wellFormed } from "./support/requests.ts";
import type { ErrorBody } from "./support/shapes.ts";
import { jsonWrites, limits } from "./support/specification.ts";
import { choice, expect, expectError, step, test } from "./support/test.ts";

const jsonType = { "Content-Type": "application/json" };

const notObjects: [what: string, body: string | Uint8Array][] = [
  ["a list", "[]"],
  ["a list of an object", "[{}]"],
  ["a string", '"x"'],
  ["null", "null"],
  ["true", "true"],
  ["a number", "1"],
  ["cut", "{"],
  ["cut inside a string", '{"text":"Hel'],
  ["empty", ""],
  ["white space", " \n"],
  ["two objects", "{}{}"],
  ["an object and more", "{} x"],
  ["with a comma too many", '{"text":"a",}'],
  ["with single quotes", "{'text':'a'}"],
  ["with a comment", '{"text":"a"/**/}'],
  ["with a raw line break in a string", '{"text":"a\nb"}'],
  ["with NaN", '{"text":NaN}'],
  ["a form", "text=Hello"],
];

// The specification requires JSON, but does not say how strictly its encoding is checked.
const notUtf8: [what: string, body: Uint8Array][] = [
  ["with a byte order mark", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("{}")])],
  ["in Latin-1", Buffer.from('{"text":"é"}', "latin1")],
  ["in UTF-16", Buffer.from('{"text":"a"}', "utf16le")],
  [
    "with a cut UTF-8 sequence",
    Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]),
  ],
  [
    "with an encoded surrogate",
    Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  ],
];

const otherTypes: [what: string, headers: Record<string, string>][] = [
  ["none", {}],
  ["text/plain", { "Content-Type": "text/plain" }],
  ["application/x-www-form-urlencoded", { "Content-Type": "application/x-www-form-urlencoded" }],
  ["multipart/form-data", { "Content-Type": "multipart/form-data; boundary=x" }],
  ["application/xml", { "Content-Type": "application/xml" }],
  ["application/octet-stream", { "Content-Type": "application/octet-stream" }],
  ["text/json", { "Content-Type": "text/json" }],
];

for (const operation of jsonWrites) {
  for (const [what, body] of notObjects) {
    test(
      `${operation} rejects a body as invalid JSON: ${what}`,
      ["bodies.json"],
      async ({ api, sharedChatId: chatId }) => {
        expectError(await api.call(operation, { chatId, body, headers: jsonType }), "invalid_json");
      },
    );
  }

  test(
    `${operation} requires UTF-8 without a byte order mark`,
    [choice, "bodies.json"],
    async ({ api, sharedChatId: chatId }) => {
      for (const [what, body] of notUtf8) {
        await step(what, async () => {
          expectError(await api.call(operation, { chatId, body, headers: jsonType }), "invalid_json");
        });
      }
    },
  );

  for (const [what, headers] of otherTypes) {
    test(
      `${operation} rejects the content type ${what} with 415`,
      ["bodies.json"],
      async ({ api, sharedChatId: chatId }) => {
        const { json } = wellFormed(operation);
        const response = await api.call(operation, { chatId, body: JSON.stringify(json), headers });
        expectError(response, "unsupported_media_type");
      },
    );
  }

  test(
    `${operation} rejects +json types and other charsets with 415`,
    [choice, "bodies.json"],
    async ({ api, planned }) => {
      const { id: chatId } = await planned("reading");
      const body = JSON.stringify(wellFormed(operation).json);
      for (const type of [
        "application/json-patch+json",
        "application/problem+json",
        "application/jsonp",
        "application/json;charset=utf-16",
        "application/json, text/plain",
        "json",
      ]) {
        const response = await api.call(operation, { chatId, body, headers: { "Content-Type": type } });
        expectError(response, "unsupported_media_type");
      }
    },
  );

  test(
    `${operation} rejects a compressed body with 415`,
    [choice, "bodies.json"],
    async ({ api, sharedChatId: chatId }) => {
      const plain = JSON.stringify(wellFormed(operation).json);
      for (const [encoding, body] of [
        ["gzip", gzipSync(plain)],
        ["br", Buffer.from(plain)],
        ["gzip, gzip", gzipSync(gzipSync(plain))],
        ["gzip", gzipSync(Buffer.alloc(4_000_000, " "))],
      ] as const) {
        const response = await api.call(operation, {
          chatId,
          body,
          headers: { ...jsonType, "Content-Encoding": encoding },
        });
        expectError(response, "unsupported_media_type");
      }
    },
  );

  const largest = operation === "submitCollection" ? limits.collectionBytes : limits.jsonBytes;
  const tooLarge = Buffer.from("{}".padEnd(largest + 1));
  /** An invalid body of exactly the maximum size: refused for its content, not for its size. */
  const justFits = Buffer.from("[]".padEnd(largest));

  test(
    `${operation} reads ${largest} bytes and rejects one more with 413`,
    ["bodies.size"],
    async ({ api, sharedChatId: chatId }) => {
      expectError(await api.call(operation, { chatId, body: justFits, headers: jsonType }), "invalid_json");
      expectError(
        await api.call(operation, { chatId, body: tooLarge, headers: jsonType }),
        "payload_too_large",
      );
    },
  );

  test(
    `${operation} limits the size of a chunked body`,
    ["bodies.size"],
    async ({ api, sharedChatId: chatId }) => {
      const halves = (bytes: Uint8Array) => [bytes.subarray(0, 1000), bytes.subarray(1000)];
      const fits = await api.call(operation, { chatId, body: halves(justFits), headers: jsonType });
      expectError(fits, "invalid_json");
      const over = await api.call(operation, { chatId, body: halves(tooLarge), headers: jsonType });
      expectError(over, "payload_too_large");
    },
  );
}

test(
  "accepts the content type in any letter case and with its charset",
  ["bodies.json"],
  async ({ api, sharedChatId: chatId }) => {
    for (const type of [
      "application/json",
      "Application/JSON",
      "application/json; charset=utf-8",
      "application/json;charset=UTF-8",
    ]) {
      const response = await api.call("handoff", {
        chatId,
        body: JSON.stringify(wellFormed("handoff").json),
        headers: { "Content-Type": type },
      });
      // The type is accepted: the refusal concerns the content.
      expectError(response, "confirmation_required");
    }
  },
);

test(
  "uses the last value of a duplicate property",
  [choice, "bodies.json"],
  async ({ api, sharedChatId: chatId }) => {
    const body = '{"text":"valid","text":7}';
    expectError(await api.call("sendMessage", { chatId, body, headers: jsonType }), "invalid_request");
  },
);

test(
  "rejects an excessive Content-Length before the body arrives",
  [choice, "bodies.size"],
  async ({ api, planned }) => {
    const { id: chatId } = await planned("reading");
    const head = api.rawHead("sendMessage", { chatId }, { ...jsonType, "Content-Length": "4000000000" });
    const received = await exchangeBytes(api.target.base, [head, '{"text":'], {
      timeoutMilliseconds: 10_000,
    });
    expect(statusOf(received)).toBe(413);
    const { error } = JSON.parse(bodyOf(received)) as ErrorBody;
    expect(error.code).toBe("payload_too_large");
  },
);

test(
  "ignores a request whose body is cut off",
  ["bodies.json", "idempotency.once"],
  async ({ api, sharedChatId: chatId }) => {
    const before = await api.listMessages(chatId);
    const head = api.rawHead("sendMessage", { chatId }, { ...jsonType, "Content-Length": "100" });
    const received = await exchangeBytes(api.target.base, [head, '{"text":"cut"}'], {
      timeoutMilliseconds: 10_000,
      halfClose: true,
    });
    const status = statusOf(received);
    expect(status === undefined || status >= 400, received).toBe(true);
    expect(await api.listMessages(chatId)).toEqual(before);
  },
);

test(
  "rejects Content-Length together with Transfer-Encoding",
  [choice, "bodies.json"],
  async ({ api, sharedChatId: chatId }) => {
    const before = await api.listMessages(chatId);
    const body = '{"text":"smuggled"}';
    const both = { "Content-Length": `${body.length}`, "Transfer-Encoding": "chunked" };
    const head = api.rawHead("sendMessage", { chatId }, { ...jsonType, ...both });
    const received = await exchangeBytes(
      api.target.base,
      [head, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
      { timeoutMilliseconds: 10_000 },
    );
    expect(statusOf(received)).toBe(400);
    expect(await api.listMessages(chatId)).toEqual(before);
  },
);

test("survives deeply nested JSON", ["bodies.json"], async ({ api, sharedChatId: chatId }) => {
  const deep = `${"[".repeat(16_000)}${"]".repeat(16_000)}`;
  const inText = await api.call("sendMessage", { chatId, body: `{"text":${deep}}`, headers: jsonType });
  expectError(inText, ["invalid_request", "invalid_json"]);
  const inValues = await api.call("submitCollection", {
    chatId,
    body: `{"collectionRequestId":null,"expectedVersion":0,"action":"save","values":{"a":${deep}}}`,
    headers: jsonType,
  });
  expectError(inValues, ["invalid_request", "invalid_json", "invalid_submission"], {
    api,
    orLive: ["version_conflict"],
  });
});
