import { beforeEach, expect, test, vi } from "vitest";
import { createProgressFetch } from "./progress-fetch.ts";

/** The part of XMLHttpRequest that `createProgressFetch` uses. */
class FakeRequest {
  static latest: FakeRequest;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  status = 201;
  responseText = '{"item":1}';
  sent: unknown = undefined;
  headers: [string, string][] = [];

  constructor() {
    FakeRequest.latest = this;
  }

  open(method: string, address: string): void {
    this.headers.push(["", `${method} ${address}`]);
  }

  setRequestHeader(name: string, value: string): void {
    this.headers.push([name, value]);
  }

  send(body: unknown): void {
    this.sent = body;
  }

  abort(): void {
    this.onabort?.();
  }

  getAllResponseHeaders(): string {
    return "content-type: application/json\r\nretry-after: 5\r\n";
  }
}

beforeEach(() => {
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
});

test("reports upload progress and resolves like fetch", async () => {
  const shares: number[] = [];
  const send = createProgressFetch((sent, total) => shares.push(sent / total));
  const body = new FormData();
  const answer = send("/api/files", { method: "POST", headers: { "Idempotency-Key": "key-1" }, body });
  const request = FakeRequest.latest;
  expect(request.headers).toEqual([
    ["", "POST /api/files"],
    ["idempotency-key", "key-1"],
  ]);
  expect(request.sent).toBe(body);
  request.upload.onprogress?.({ loaded: 1, total: 4 });
  request.onload?.();
  const response = await answer;
  expect(shares).toEqual([0.25]);
  expect(response.status).toBe(201);
  expect(response.headers.get("Retry-After")).toBe("5");
  expect(await response.json()).toEqual({ item: 1 });
});

test("rejects with a TypeError without a response, with the signal's reason on abort", async () => {
  const send = createProgressFetch(() => undefined);
  const lost = send("/api/files", { method: "POST" });
  FakeRequest.latest.onerror?.();
  await expect(lost).rejects.toBeInstanceOf(TypeError);
  const cancel = new AbortController();
  const cancelled = send("/api/files", { method: "POST", signal: cancel.signal });
  cancel.abort("left");
  await expect(cancelled).rejects.toBe("left");
  const early = send("/api/files", { method: "POST", signal: AbortSignal.abort("over") });
  await expect(early).rejects.toBe("over");
  expect(FakeRequest.latest.sent).toBeUndefined();
});
