import type { Page } from "@playwright/test";
import type { ImportedChat } from "../support/channel-hands.ts";
import { expect, test } from "../support/chat-page.ts";
import { heldReply, lab } from "../support/lab.ts";

// At its end thousands of messages are drawn, and the automatic rules would measure each of them.
test.use({ endsAccessible: false });

const length = 2_300;

function longChat(id: string, userId: string): ImportedChat {
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

/** Requests of this page for messages, since it was loaded. Polls are among them. */
function requestsForMessages(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/messages")).length,
  );
}

test("a chat of 2,300 messages opens at its end, is read upwards in place, and is searched whole", {
  tag: "@ours",
}, async ({ chat, page }) => {
  await chat.start();
  const id = `long_chat_${Date.now()}`;
  await lab.importChat(longChat(id, await chat.userId()));

  // Nobody knows where its end is: the shop's own server finds it.
  await page.goto(`/?chat=${id}`);
  const last = chat.panel.getByText(`Message ${length - 1}.`);
  await expect(last).toBeInViewport();
  expect(await requestsForMessages(page)).toBeLessThan(5);
  await page.reload();
  await expect(last).toBeInViewport();
  expect(await requestsForMessages(page)).toBeLessThan(5);

  const list = chat.panel.getByRole("region", { name: "Messages" });
  const held = chat.panel.getByText(`Message ${length - 38}.`);
  const drawn = await chat.rows.count();
  const before = await held.evaluate((element) => {
    element.scrollIntoView({ block: "center" });
    return element.getBoundingClientRect().y;
  });
  // Pages that come in above, and chunks that are drawn there, move nothing.
  await expect.poll(() => chat.rows.count()).toBeGreaterThan(drawn);
  const after = await held.evaluate((element) => element.getBoundingClientRect().y);
  expect(Math.abs(after - before)).toBeLessThan(3);

  // As a reader does, further and further.
  const scrollUp = () => list.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
  await expect.poll(() => scrollUp().then(() => chat.rows.count())).toBeGreaterThan(drawn + 60);
  await chat.panel.getByRole("button", { name: "Jump to the latest message" }).click();
  await expect(last).toBeInViewport();

  await chat.panel.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Search this chat" }).click();
  await chat.panel.getByRole("searchbox").fill("needle");
  // All its pages are read first, one after the other.
  await expect(chat.panel.getByText("1 of 1 message")).toBeVisible({ timeout: 20_000 });
  const found = chat.panel.getByText("Message 100 needle.");
  await expect(found).toBeInViewport();
  // The chunks between it and the end are drawn by and by; the reader stays where they are.
  await expect(chat.panel.locator("[data-undrawn]")).toHaveCount(0);
  await expect(found).toBeInViewport();

  // Who sends from up there sees what becomes of it.
  await lab.reply(id, heldReply());
  await chat.send("And now?");
  await expect(chat.messages("visitor").last()).toContainText("And now?");
  await expect(chat.messages("visitor").last()).toBeInViewport();
  await lab.goOn(id);
  await chat.settled();
  await expect(chat.lastReply().getByRole("time")).toBeInViewport();
});
