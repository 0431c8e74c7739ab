import { expect, test, vi } from "vitest";
import { ownBff } from "../testing/hostile-set-up.ts";
import { testEnvironment } from "../testing/test-bff.ts";

const environment = testEnvironment({ channelUrl: "http://127.0.0.1:9", channelKey: "dep_no_one_there" });
const token = "a-token-for-the-metrics";

test("serves metrics only with the token and collects none for other callers", async () => {
  const t = ownBff({ ...environment, METRICS_TOKEN: token });
  if (t.bff.metrics === undefined) throw new Error("expected metrics");
  const expose = vi.spyOn(t.bff.metrics, "expose");
  const read = (headers: Record<string, string>) => t.browser().get("/api/chat/metrics", headers);
  for (const authorization of ["", "Bearer", "Bearer wrong", token, `bearer ${token}`]) {
    const refusal = await read({ authorization });
    expect(refusal.status, authorization).toBe(404);
    expect((await refusal.json()).error.code).toBe("not_found");
  }
  expect(expose).not.toHaveBeenCalled();

  await t.browser().start();
  const text = await (await read({ authorization: `Bearer ${token}` })).text();
  expect(text).toContain('chat_bff_requests_total{route="startSession",status="201",chat="/api/chat"} 1');
  expect(text).toContain('chat_bff_requests_total{route="metrics",status="404",chat="/api/chat"} 5');
  expect(text).toContain("process_resident_memory_bytes");
  expect(text).not.toContain(token);
});

test("answers 404 without a configured token", async () => {
  const t = ownBff(environment);
  const response = await t.browser().get("/api/chat/metrics", { authorization: "Bearer undefined" });
  expect(response.status).toBe(404);
});
