import { expect, test } from "../support/chat-page.ts";
import { lab } from "../support/lab.ts";

const length = 2_300;

function longChat(id: string, userId: string) {
  const start = Date.parse("2026-03-01T08:00:00.000Z");
  return {
    id,
    userId,
    createdAt: new Date(start).toISOString(),
    messages: Array.from({ length }, (_, index) => ({
      role: index % 2 === 0 ? "visitor" : "agent",
      text: `Message ${index}${index === 100 ? " needle" : ""}. ${"Words about bicycles. ".repeat(index % 5)}`,
      createdAt: new Date(start + index * 60_000).toISOString(),
    })),
  };
}

test("a chat of 2,300 messages opens at its end, is read upwards in place, and is searched whole", {
  tag: "@ours",
}, async ({ chat, page }) => {
  // 2,300 messages are 46 pages, read twice: a busy machine takes its time.
  test.slow();
  await chat.start();
  const id = `long_chat_${Date.now()}`;
  await lab.importChat(longChat(id, await chat.userId()));

  await page.goto(`/?chat=${id}`);
  const last = chat.panel.getByText(`Message ${length - 1}.`);
  await expect(last).toBeInViewport({ timeout: 60_000 });

  // The second opening knows where the end is.
  await page.reload();
  await expect(last).toBeInViewport();
  const requests = await page.evaluate(
    () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/messages?")).length,
  );
  // Not the 46 pages of the first opening; a poll or two may have come in between.
  expect(requests).toBeLessThan(10);

  const list = chat.panel.getByRole("region", { name: "Messages" });
  const held = chat.panel.getByText(`Message ${length - 40}.`);
  await held.scrollIntoViewIfNeeded();
  const drawn = await chat.rows.count();
  // As a reader does: rows that come into view get their real heights, and the top is farther than it seemed.
  const scrollUp = () => list.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
  await expect.poll(() => scrollUp().then(() => chat.rows.count())).toBeGreaterThan(drawn);
  await chat.panel.getByRole("button", { name: "Jump to the latest message" }).click();
  await expect(last).toBeInViewport();

  await chat.panel.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Search this chat" }).click();
  await chat.panel.getByRole("searchbox").fill("needle");
  await expect(chat.panel.getByText("1 of 1 message")).toBeVisible({ timeout: 60_000 });
  await expect(chat.panel.getByText("Message 100 needle.")).toBeInViewport({ timeout: 30_000 });
});
