/** The chat as a guest of hostile pages, as a React component and as `<shop-chat>`. */
import { expect, type Locator, type Page, test } from "@playwright/test";
import { bundleElement } from "../../scripts/package/bundle-element.ts";
import { bundleReactPage } from "../support/element-page.ts";
import { type HostileHost, hostileHosts } from "./hostile-hosts.ts";

type Kind = "react" | "element";

const path = "/gallery/hosts";
const chats = {
  react: "<section data-react-chat></section>",
  element: '<shop-chat agent-name="Wren" shop-name="Tarn &amp; Tread"></shop-chat>',
};

let bundled: Promise<{ name: string; code: string }[]> | undefined;

/** The scripts of both kinds, once in each worker. */
function scripts() {
  bundled ??= Promise.all([bundleElement(), bundleReactPage("e2e/gallery/react-host.tsx")]).then(
    ([parts, code]) => [...parts, { name: "react-host.js", code }],
  );
  return bundled;
}

/**
 * A page's keyboard shortcuts, after the chat in the order of bubbling: they take keys whose target is no
 * field, as page scripts do, and record all that a page would take from its own fields.
 */
const shortcuts = `
  window.heard = [];
  for (const name of ["keydown", "keypress", "keyup", "beforeinput", "input", "change", "paste", "copy", "cut",
    "compositionstart", "dragover", "drop", "focusin", "focusout", "submit", "wheel"])
    document.addEventListener(name, (event) => {
      if (event.target.closest("[data-react-chat], shop-chat")) window.heard.push(name);
    });
  document.addEventListener("keydown", (event) => {
    if (!event.target.closest("input, textarea") && /^[ /a-z0-9]$/.test(event.key)) event.preventDefault();
  });`;

async function openHost(
  page: Page,
  kind: Kind,
  host: HostileHost,
  chat: string = chats[kind],
): Promise<void> {
  for (const { name, code } of await scripts())
    await page.route(`**/api/chat/${name}`, (route) =>
      route.fulfill({ contentType: "text/javascript; charset=utf-8", body: code }),
    );
  const {
    css = "",
    body = '<main><h1>A shop</h1><input aria-label="Search"></main>$chat',
    script = "",
  } = host;
  await page.route(`**${path}`, (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>A shop</title>
<style>${css}</style><body>${body.replace("$chat", chat)}<script>${shortcuts}${script}</script>
<script type="module" src="/api/chat/${kind === "react" ? "react-host" : "embed"}.js"></script>`,
    }),
  );
  await page.goto(path);
}

/** The computed style of the parts that show whether something reaches in. */
function stylesOf(parts: readonly Locator[]): Promise<Record<string, string>[]> {
  return Promise.all(
    parts.map((part) =>
      part.evaluate((element) => {
        const style = getComputedStyle(element);
        return Object.fromEntries(Array.from(style, (name) => [name, style.getPropertyValue(name)]));
      }),
    ),
  );
}

const backdropOf = (element: Element) => getComputedStyle(element, "::backdrop").display;

/** Styles of the plain page, by kind. */
const reference = new Map<Kind, Record<string, string>[]>();

async function use(page: Page, { opener, isModal }: HostileHost) {
  const launcher = page.getByRole("button", { name: "Chat with us" });
  const panel = page.locator("dialog[data-panel][open]");
  const field = panel.getByLabel("Your message");
  await expect(launcher).toBeInViewport({ ratio: 1 });
  await (opener === undefined ? launcher : page.getByRole("button", { name: opener })).click();
  await expect(field).toBeFocused();
  // Of the button, which loads before what keeps the events.
  await page.evaluate(() => Reflect.get(window, "heard").splice(0));
  await expect(panel).toBeInViewport({ ratio: 1 });
  expect(await panel.evaluate((dialog) => dialog.matches(":modal"))).toBe(isModal === true);
  if (opener !== undefined) await expect(field).toHaveValue("Is it warm?");
  await field.press("ControlOrMeta+A");
  await field.pressSequentially("can I order 1/2 metre");
  await expect(field).toHaveValue("can I order 1/2 metre");
  await panel.getByRole("button", { name: "More", exact: true }).click();
  await expect(panel.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await panel.getByRole("heading").first().hover();
  await page.mouse.wheel(0, 10);
  const styles = await stylesOf([
    panel.getByRole("heading").first(),
    field,
    panel.getByRole("button", { name: "Close chat" }),
  ]);
  expect(
    await page.evaluate(() => [Reflect.get(window, "heard"), Reflect.get(window, "heardByReact") ?? []]),
  ).toEqual([[], []]);
  if (isModal !== true) expect(await panel.evaluate(backdropOf)).toBe("none");
  await field.press("Escape");
  await expect(panel).toHaveCount(0);
  return styles;
}

for (const kind of ["react", "element"] as const)
  test.describe(kind, () => {
    for (const host of hostileHosts)
      test(`works as a guest: ${host.name}`, async ({ page }) => {
        if (!reference.has(kind)) {
          await openHost(page, kind, { name: "plain" });
          reference.set(kind, await use(page, { name: "plain" }));
          await page.unrouteAll({ behavior: "ignoreErrors" });
          await page.evaluate(() => [sessionStorage, localStorage].map((area) => area.clear()));
        }
        await openHost(page, kind, host);
        expect(await use(page, host)).toEqual(reference.get(kind));
      });

    test("stays above the part of the page around it that goes to full screen", async ({ page }) => {
      const body =
        '<main id="around"><button onclick="around.requestFullscreen()">Full screen</button>$chat</main>';
      await openHost(page, kind, { name: "full screen", body });
      await page.getByRole("button", { name: "Chat with us" }).click();
      const panel = page.locator("dialog[data-panel][open]");
      await expect(panel.getByLabel("Your message")).toBeFocused();
      await page.getByRole("button", { name: "Full screen" }).click();
      await expect.poll(() => page.evaluate(() => document.fullscreenElement?.id)).toBe("around");
      await panel.getByRole("button", { name: "Close chat" }).click();
      await page.getByRole("button", { name: "Chat with us" }).click();
      await expect(panel).toBeVisible();
    });
  });
