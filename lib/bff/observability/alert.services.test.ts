/** The alert of docs/operations.md about the Chat API, evaluated by Prometheus' own promtool. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { hostilePeer, ownBff, ownerOfChat } from "../testing/hostile-set-up.ts";
import { errorBody } from "../testing/hostile-upstream.ts";

const { upstream, environment } = await hostilePeer();
const token = "a-token-for-the-metrics";

function documentedExpression(): string {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "..", "docs", "operations.md"), "utf8");
  const [, expression = ""] = /^\| the Chat API fails \| `(.*?)` \|/m.exec(page) ?? [];
  return expression;
}

/** Whether the alert fires after ten minutes in which each counter grew evenly to its scraped value. */
function fires(scrape: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), "alert-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const samples = scrape.matchAll(/^(chat_bff_\w+_total\{.*\}) (\d+)$/gm);
  const series = Array.from(samples, ([, name, value]) => ({ series: name, values: `0+${value}x10` }));
  expect(series.length).toBeGreaterThan(0);
  const alert = "ChatApiFails";
  const rules = { groups: [{ name: "chat", rules: [{ alert, expr: documentedExpression() }] }] };
  const expected = { eval_time: "10m", alertname: alert, exp_alerts: [] };
  const tests = {
    rule_files: ["rules.json"],
    tests: [{ interval: "1m", input_series: series, alert_rule_test: [expected] }],
  };
  // Both files are YAML, of which JSON is a part.
  writeFileSync(join(folder, "rules.json"), JSON.stringify(rules));
  writeFileSync(join(folder, "test.json"), JSON.stringify(tests));
  try {
    execFileSync(inject("promtool"), ["test", "rules", "test.json"], { cwd: folder, stdio: "pipe" });
    return false;
  } catch (error) {
    expect(String(error)).toMatch(/got:\[.*Labels/s);
    return true;
  }
}

/** The metrics after ten readiness checks and ten messages that the Chat API answers in this way. */
async function scrapeAfter(status: number, code: string): Promise<string> {
  let now = 0;
  const t = ownBff({ ...environment, METRICS_TOKEN: token }, { clock: () => now });
  upstream.respond("GET /chats/readiness-check", 404, errorBody("chat_not_found"));
  const browser = await ownerOfChat(t, upstream);
  upstream.respond("POST /chats/chat_0001/messages", status, errorBody(code));
  for (let round = 0; round < 10; round++) {
    now += 10_000;
    expect((await browser.get("/api/chat/health/ready")).status).toBe(200);
    const sent = await browser.post("/api/chat/chats/chat_0001/messages", { text: "hello" });
    expect(sent.status).toBeGreaterThanOrEqual(400);
  }
  return (await browser.get("/api/chat/metrics", { authorization: `Bearer ${token}` })).text();
}

test("stays silent while readiness is checked and customers are refused", async () => {
  expect(fires(await scrapeAfter(409, "chat_closed"))).toBe(false);
});

test("fires while the Chat API fails", async () => {
  expect(fires(await scrapeAfter(500, "internal_error"))).toBe(true);
});
