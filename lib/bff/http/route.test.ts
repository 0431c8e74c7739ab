/** The order of the pipeline's steps: each rejects a request that every later step would reject too. */
import { expect, test } from "vitest";
import { bffLimits } from "../configuration/limits.ts";
import { hostilePeer, ownBff, ownerOfChat } from "../testing/hostile-set-up.ts";
import { pageHeaders, testOrigin } from "../testing/test-bff.ts";

const { upstream, environment } = await hostilePeer();

test("rejects an invalid upload at each step in order and reads its body last", async () => {
  const calls = 6;
  const rates = { upload: { perSession: [{ calls, seconds: 60 }], perAddress: [], total: [] } };
  const now = Date.now();
  const t = ownBff(environment, { limits: { rates }, clock: () => now });
  const [owner, exhausted] = [await ownerOfChat(t, upstream), t.browser()];
  await exhausted.start();
  for (let call = 0; call < calls; call += 1) await exhausted.post("/api/chat/chats/chat_0001/files", {});
  // All upload slots are taken, one per session.
  const taken = Array.from({ length: bffLimits.concurrentUploads }, (_, at) =>
    t.bff.uploadSlots.take({
      session: { id: `another-${at}`, userId: "guest-12345", customer: null },
      address: undefined,
    }),
  );
  upstream.respond("POST /chats/chat_0001/files", 500, {});
  upstream.seen.length = 0;

  let bodyReads = 0;
  const body = () =>
    new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          bodyReads += 1;
          controller.enqueue(Buffer.from("not a form"));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  // Starts with every mistake; they are fixed one after the other.
  let request: { method: string; path: string; headers: Record<string, string> } = {
    method: "PUT",
    path: "/api/chat/chats/no/files",
    headers: { origin: "https://evil.example", "content-type": "text/plain", "idempotency-key": "no" },
  };
  const outcome = async () => {
    const { method, path, headers } = request;
    const init = { method, headers, body: body(), duplex: "half" };
    const response = await t.request(new Request(testOrigin + path, init as RequestInit));
    const { error } = await response.json();
    return [response.status, error.code];
  };
  const header = (more: Record<string, string>) => {
    request = { ...request, headers: { ...request.headers, ...more } };
  };

  expect(await outcome(), "method").toEqual([405, "method_not_allowed"]);
  request = { ...request, method: "POST" };
  expect(await outcome(), "origin").toEqual([403, "request_not_allowed"]);
  header({ ...pageHeaders, origin: testOrigin });
  expect(await outcome(), "session").toEqual([401, "session_required"]);
  header({ cookie: exhausted.cookies() });
  expect(await outcome(), "limit").toEqual([429, "rate_limited"]);
  header({ cookie: owner.cookies() });
  expect(await outcome(), "ID").toEqual([400, "invalid_id"]);
  request = { ...request, path: "/api/chat/chats/chat_9999/files" };
  expect(await outcome(), "key").toEqual([400, "invalid_request"]);
  expect(upstream.seen, "the Chat API is not called before").toEqual([]);
  header({ "idempotency-key": "key-12345" });
  expect(await outcome(), "ownership").toEqual([404, "chat_not_found"]);
  request = { ...request, path: "/api/chat/chats/chat_0001/files" };
  expect(await outcome(), "slot").toEqual([429, "rate_limited"]);
  for (const slot of taken) slot.release();
  expect(bodyReads, "no byte of a body is read before").toBe(0);
  expect(await outcome(), "type").toEqual([415, "unsupported_media_type"]);
  header({ "content-type": "multipart/form-data; boundary=xyz" });
  expect(await outcome(), "body").toEqual([400, "invalid_request"]);
  expect(bodyReads).toBeGreaterThan(0);
});
