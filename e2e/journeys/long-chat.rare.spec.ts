import type { Page } from "@playwright/test";
import type { ImportedChat } from "../../channel/lab/lab-client.ts";
import { expect, test } from "../support/chat-page.ts";
import { heldReply, lab } from "../support/lab.ts";

// Axe at the end of the test would measure each of the hundreds of rendered messages.
test.use({ checkAccessibilityAtEnd: false });

const length = 700;

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

/** The page's requests for messages since it was loaded, polls included. */
function requestsForMessages(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/messages")).length,
  );
}

test("opens a chat of 700 messages at its end and loads earlier ones", { tag: "@phone" }, async ({
  chat,
  page,
}) => {
  await chat.start();
  const id = `long_chat_${Date.now()}`;
  await lab.importChat(longChat(id, await chat.userId()));

  // No cursor of the last page is known, so the BFF finds the end.
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
  // Pages that appear above do not shift the reader's position.
  await expect.poll(() => chat.rows.count()).toBeGreaterThan(drawn);
  const after = await held.evaluate((element) => element.getBoundingClientRect().y);
  expect(Math.abs(after - before)).toBeLessThan(3);

  // The reader scrolls up further and further.
  const scrollUp = () => list.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
  await expect.poll(() => scrollUp().then(() => chat.rows.count())).toBeGreaterThan(drawn + 60);
  await chat.jumpButton.click();
  await expect(last).toBeInViewport();

  await list.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
  await expect(last).not.toBeInViewport();
  // Sending from there scrolls to the new message.
  await lab.reply(id, heldReply());
  await chat.send("And now?");
  await expect(chat.messages("visitor").last()).toContainText("And now?");
  await expect(chat.messages("visitor").last()).toBeInViewport();
  await lab.continueReply(id);
  await chat.settled();
  await expect(chat.lastReply().getByRole("time")).toBeInViewport();
});
