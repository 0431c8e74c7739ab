import { expect, test } from "./webkit-chat.ts";

test("fills a phone's screen without horizontal scrolling", async ({ chat }) => {
  await chat.start();
  await chat.ask("which helmets do you have?");
  const { panel, window: inner } = await chat.browser.run(() => {
    const dialog = document.querySelector("dialog[open]");
    const { x, y, width, height } = dialog?.getBoundingClientRect() ?? new DOMRect();
    return {
      panel: { x, y, width, height, modal: dialog?.matches(":modal"), scroll: dialog?.scrollWidth },
      window: { width: innerWidth, height: innerHeight },
    };
  });
  expect(panel).toEqual({ x: 0, y: 0, ...inner, modal: true, scroll: inner.width });
});
