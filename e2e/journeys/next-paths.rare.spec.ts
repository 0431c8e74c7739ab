/** The chat in a Next app whose configuration changes its paths. */
import { aNote } from "../support/attachments.ts";
import { expect, test } from "../support/chat-page.ts";
import { buildNextApp } from "../support/next-app.ts";

const configurations = [
  { name: "basePath", config: { basePath: "/shop" }, basePath: "/shop/api/chat", page: "/shop" },
  { name: "trailingSlash", config: { trailingSlash: true }, basePath: "/api/chat", page: "/" },
];

for (const { name, config, basePath, page: path } of configurations)
  test(`answers, takes a file and guards its requests with ${name}, also with direct`, async ({
    chat,
    page,
  }) => {
    // The build takes most of it.
    test.setTimeout(300_000);
    const app = buildNextApp(config, basePath);
    try {
      for (const direct of ["0", "1"]) {
        const server = await app.start({ DIRECT: direct });
        const refused = await fetch(`${server.origin}${basePath}/session?${"a=1&".repeat(300)}`);
        expect(refused.status).toBe(400);
        await expect.poll(() => server.output()).toContain('"route":"beforeNext"');
        await page.context().clearCookies();
        await chat.open(server.origin + path);
        await chat.ask("hello");
        await chat.attach(aNote("receipt.txt"));
        await expect(chat.panel.getByRole("button", { name: "Remove receipt.txt" })).toBeVisible();
        await chat.ask("my receipt");
        await expect(chat.messages("visitor").last()).toContainText("receipt.txt");
        await expect(chat.answers).toHaveCount(2);
        await page.goto("about:blank");
        await server.stop();
      }
    } finally {
      app.remove();
    }
  });
