/** Pasting and dropping files; printing; sound; languages. */
import { aChat, type ChatPage, expect, test } from "../support/chat-page.ts";
import { expect as expectOfTeam, pollNow, test as withTeam } from "../support/handoff.ts";
import { team } from "../support/lab.ts";

/** Dispatches the event of pasting or dropping files. */
async function handOver({ composer }: ChatPage, how: "paste" | "drop", name: string): Promise<void> {
  await composer.evaluate(
    (field, [kind, filename = ""]) => {
      const data = new DataTransfer();
      data.items.add(new File(["the rear hub\n"], filename, { type: "text/plain" }));
      const common = { bubbles: true, cancelable: true };
      if (kind === "paste")
        field.dispatchEvent(new ClipboardEvent("paste", { ...common, clipboardData: data }));
      else {
        field.dispatchEvent(new DragEvent("dragover", { ...common, dataTransfer: data }));
        field.dispatchEvent(new DragEvent("drop", { ...common, dataTransfer: data }));
      }
    },
    [how, name] as const,
  );
}

test("attaches pasted and dropped files to the message", aChat, async ({ chat }) => {
  await chat.open();
  await handOver(chat, "paste", "pasted.txt");
  await expect(chat.panel.getByRole("button", { name: "Remove pasted.txt" })).toBeVisible();
  await handOver(chat, "drop", "dropped.txt");
  await expect(chat.panel.getByRole("button", { name: "Remove dropped.txt" })).toBeVisible();
  await chat.ask("Both");
  await expect(chat.messages("visitor").last()).toContainText("pasted.txt");
  await expect(chat.messages("visitor").last()).toContainText("dropped.txt");
});

test("shows and cancels an upload, and repeats a lost one under its key", aChat, async ({ chat, page }) => {
  await chat.start();
  const network = await page.context().newCDPSession(page);
  const upload = (bytesPerSecond: number) =>
    network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  const attach = (name: string) =>
    chat.attach({ name, mimeType: "text/plain", buffer: Buffer.alloc(1_000_000, "hub ") });
  await upload(50_000);
  await attach("slow.txt");
  const progress = chat.panel.getByRole("progressbar", { name: /slow\.txt/ });
  const share = () => progress.evaluate((bar: HTMLProgressElement) => bar.value);
  await expect.poll(share).toBeGreaterThan(0);
  expect(await share()).toBeLessThan(1);
  await chat.panel.getByRole("button", { name: "Cancel uploading slow.txt" }).click();
  await expect(progress).toHaveCount(0);

  await upload(-1);
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/files")) keys.push(request.headers()["idempotency-key"]);
  });
  await page.route("**/files", (route) => route.abort(), { times: 1 });
  await attach("lost.txt");
  await expect(chat.panel.getByRole("button", { name: "Remove lost.txt" })).toBeVisible();
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
  await expect(chat.panel.getByText("slow.txt")).toHaveCount(0);
});

test("does not print a floating chat over the page", aChat, async ({ chat, page }) => {
  await page.emulateMedia({ media: "print" });
  await page.goto("/about");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(chat.launcher).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await chat.launcher.click();
  await expect(chat.panel).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(chat.panel).toBeHidden();
});

for (const [language, launcher, title] of [
  ["de", "Mit uns chatten", "Ihre Nachricht"],
  ["fr", "Discuter avec nous", "Votre message"],
  ["ja", "チャットで相談", "メッセージ"],
  ["ar", "تحدث معنا", "رسالتك"],
] as const) {
  test(`shows the chat in ${language} on a page in that language`, aChat, async ({ chat, page }) => {
    await page.goto(`/${language}/help/delivery`);
    await page.getByRole("button", { name: launcher }).click();
    const field = chat.panel.locator("textarea");
    await expect(field).toHaveAccessibleName(title);
    await expect(
      page.locator(`[lang=${language}][dir=${language === "ar" ? "rtl" : "ltr"}] dialog`),
    ).toBeVisible();
    const status = chat.panel.locator("h2 + p");
    expect(await status.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0);
    await field.fill("hello");
    await chat.panel.locator("form button[type=submit]").click();
    await chat.settled();
    await expect(chat.messages("visitor")).toHaveCount(1);
  });
}

withTeam("plays a sound for a teammate's message if the customer wants that", async ({ people }) => {
  const { chat, chatId } = await people.customerWith({ mode: "teammate", teammate: "Zoë", says: "Ready?" });
  const { page } = chat;
  await page.evaluate(() => {
    const calls: string[] = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when?: number) {
      calls.push("tone");
      start.call(this, when);
    };
    Object.assign(window, { calls });
  });
  await chat.panel.getByRole("button", { name: "More", exact: true }).click();
  const item = page.getByRole("menuitemcheckbox", { name: "Sound for new messages" });
  await item.click();
  await expectOfTeam(item).toBeChecked();
  await page.keyboard.press("Escape");
  await chat.setVisibility("hidden");
  await team.write(chatId, "It is ready.");
  await pollNow(chat);
  await expectOfTeam
    .poll(() => page.evaluate(() => Reflect.get(window, "calls")), { timeout: 30_000 })
    .toContain("tone");
});
