import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, expect, test, vi } from "vitest";
import { toNextHandler } from "../next.ts";
import { startTestBff, testEnvironment, testOrigin } from "../testing/test-bff.ts";

const script = "export {};";
vi.mock("./embed-files.ts", () => ({
  embedFiles: {
    "embed.js": gzipSync("export {};").toString("base64"),
    "embed/chat-1a2b.js": gzipSync("export {};").toString("base64"),
  },
}));

const t = startTestBff(testEnvironment({ channelUrl: "http://127.0.0.1:9", channelKey: "dep_no_one_there" }));
afterAll(() => t.stop());

/** The request of a `<script>` element, which cannot send our headers. */
const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  t.request(new Request(`${testOrigin}/api/chat/${path}`, { method, headers }));

test("serves the script compressed to browsers that accept gzip", async () => {
  const response = await ask("embed.js", { "accept-encoding": "gzip, br" });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(await response.arrayBuffer()).toString()).toBe(script);
});

test("serves the script uncompressed in Next, which sends no Content-Encoding", async () => {
  const { GET } = toNextHandler(t.chat);
  const response = await GET(
    new Request(`${testOrigin}/api/chat/embed.js`, { headers: { "accept-encoding": "gzip, br" } }),
  );
  expect(response.headers.has("content-encoding")).toBe(false);
  expect(await response.text()).toBe(script);
});

test("serves the script uncompressed otherwise", async () => {
  const response = await ask("embed.js");
  expect(response.headers.has("content-encoding")).toBe(false);
  expect(await response.text()).toBe(script);
});

test("lets browsers cache chunks for ever and revalidate the script", async () => {
  const chunk = await ask("embed/chat-1a2b.js");
  expect(chunk.headers.get("cache-control")).toContain("immutable");
  const first = await ask("embed.js");
  expect(first.headers.get("cache-control")).toBe("no-cache");
  const etag = first.headers.get("etag") ?? "";
  for (const tags of [etag, `W/${etag}`, `"older", ${etag}`, `"a,b",W/${etag} , "other"`, "*", " * "]) {
    const again = await ask("embed.js", { "if-none-match": tags });
    expect([again.status, await again.text(), again.headers.get("etag")], tags).toEqual([304, "", etag]);
  }
  for (const other of ["", '"older"', etag.slice(1, -1), `"x${etag.slice(1)}`, `w/${etag}`])
    expect((await ask("embed.js", { "if-none-match": other })).status, other).toBe(200);
});

test("answers HEAD as GET without a body, also for health checks", async () => {
  for (const [path, status] of [
    ["embed.js", 200],
    ["embed/chat-1a2b.js", 200],
    ["embed/unknown.js", 307],
    ["embed/unknown.js?again=8", 404],
    ["health/live", 200],
    ["health/ready", 503],
  ] as const) {
    const got = await ask(path);
    const head = await ask(path, {}, "HEAD");
    expect([head.status, await head.text()], path).toEqual([status, ""]);
    expect(head.headers.get("content-length"), path).toBe(String(Buffer.byteLength(await got.text())));
    const { "x-request-id": _, "content-length": __, ...headers } = Object.fromEntries(head.headers);
    expect(Object.fromEntries(got.headers), path).toMatchObject(headers);
  }
});

test.each(["embed/unknown.js", "embed/toString", "embed/__proto__", "embed/..%2fembed.js"])(
  "has %s asked for eight more times, then answers 404",
  async (path) => {
    const locations: (string | null)[] = [];
    let response = await ask(path);
    while (response.status === 307 && locations.length < 20) {
      const location = response.headers.get("location");
      locations.push(location);
      response = await ask(path + location);
    }
    expect(locations).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((repetition) => `?again=${repetition}`));
    expect([response.status, response.headers.get("cache-control")]).toEqual([404, "private, no-store"]);
  },
);

test.each(["9", "x", "1e400", "-1e20", "-Infinity"])(
  "answers 404 for an unknown chunk with again=%s",
  async (again) => {
    expect((await ask(`embed/unknown.js?again=${again}`)).status).toBe(404);
  },
);
