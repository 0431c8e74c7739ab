import { helmet, repair } from "../support/cards.ts";
import { expect, test } from "../support/chat-page.ts";
import { lab } from "../support/lab.ts";

test("shows hostile content as text and leaves out what is invalid", { tag: "@phone" }, async ({
  chat,
  page,
}) => {
  const chatId = await chat.start();
  await lab.reply(chatId, {
    text: `<img src=x onerror="document.title='gone'"> **bold** javascript:alert(1) https://bank.example@evil.example https://ok.example/a. ${"w".repeat(4_000)}`,
    citations: [
      { title: "<b>script</b>", url: "javascript:document.title='gone'", updatedAt: "no time" },
      { title: "", url: "https://xn--pple-43d.example/", updatedAt: null },
      ...Array.from({ length: 30 }, (_, index) => ({ title: `Source ${index}`, url: null, updatedAt: null })),
    ],
    products: [
      {
        ...helmet,
        title: "\u202egnp.exe <i>",
        imageUrl: "http://192.168.0.1/x.png",
        productUrl: "data:text/html,x",
        price: { amount: 1e21, currency: "ZZZ", was: -1, from: true },
      },
      { ...helmet, id: "p2", imageUrl: "/shop/none.webp", productUrl: null, price: null },
    ],
    orders: [
      {
        ...repair,
        reference: "<u>X</u>",
        items: [{ description: "cable", quantity: 2.5, arrived: null }],
        store: { name: "Ostle Quay", phone: "javascript:alert(1)" },
      },
    ],
    choices: ["Yes", "Yes", "   ", "x".repeat(4_000)],
  });
  const reply = await chat.ask("show me");
  await expect(reply.getByText("<img src=x")).toBeVisible();
  await expect(reply.getByRole("link", { name: /ok\.example/ })).toHaveAttribute(
    "href",
    "https://ok.example/a",
  );
  await expect(reply.getByText("20 sources")).toBeVisible();
  await reply.getByText("20 sources").click();
  for (const link of await reply.getByRole("link").all()) {
    expect(await link.getAttribute("href")).toMatch(/^https:\/\//);
    expect(await link.getAttribute("rel")).toContain("noopener");
  }
  await expect(reply.getByRole("button", { name: "Yes", exact: true })).toHaveCount(1);
  expect(await page.title()).not.toBe("gone");
  const panel = await chat.panel.boundingBox();
  expect(await reply.evaluate((row) => row.scrollWidth)).toBeLessThanOrEqual(panel?.width ?? 0);
  await reply.getByRole("button", { name: "Yes", exact: true }).click();
  await chat.settled();
  await expect(chat.messages("visitor").last()).toContainText("Yes");
});
