/** Long chats for benchmarks in a browser: imported through the channel's lab for a customer of the shop. */
import type { Page } from "@playwright/test";
import { aProduct } from "#lib/engine/testing/builders.ts";
import { Lab } from "../../testing/lab/lab-client.ts";
import type { TestEnvironment } from "../../testing/processes/test-environment.ts";

const product = aProduct({ title: "A pannier" });

let chats = 0;

/** Opens the shop as a new customer with a session, and returns the `userId`. */
export async function makeCustomer(page: Page, shopUrl: string): Promise<string> {
  await page.goto(shopUrl);
  return page.evaluate(async () => {
    const call = async (path: string, key: string) => {
      const headers = { "X-Chat-Client": "1", "Content-Type": "application/json", "Idempotency-Key": key };
      return (await fetch(path, { method: "POST", headers, body: "{}" })).json();
    };
    await call("/api/chat/session", "bench-session");
    return (await call("/api/chat/chats", crypto.randomUUID())).item.userId;
  });
}

/** Imports a chat of `count` messages, the first being `Message 0.`, and returns its ID. */
export async function importChat(
  environment: TestEnvironment,
  userId: string,
  count: number,
): Promise<string> {
  chats += 1;
  const start = Date.parse("2026-03-01T08:00:00.000Z");
  const returns = { title: "Returns", url: "https://example.com/returns", updatedAt: null };
  const { id } = await new Lab(environment).importChat({
    id: `bench_chat_${chats}_${Date.now()}`,
    userId,
    createdAt: new Date(start).toISOString(),
    messages: Array.from({ length: count }, (_, index) => ({
      role: index % 2 === 0 ? "visitor" : "agent",
      text: `Message ${index}. ${"Words about bicycles, and a few more of them. ".repeat(index % 7)}`,
      createdAt: new Date(start + index * 3 * 60_000).toISOString(),
      citations: index % 11 === 1 ? [returns] : [],
      products: index % 15 === 1 ? [product] : [],
    })),
  });
  return id;
}
