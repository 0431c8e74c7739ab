import type { ChatWidgetProps } from "../chat-widget.tsx";
import type { Offset } from "../launcher/offset.ts";

export const attributeNames = [
  "api",
  "agent-name",
  "shop-name",
  "locale",
  "theme",
  "contact-label",
  "contact-href",
  "logo",
  "suggestions",
  "picture-origins",
  "customer",
  "mode",
  "side",
  "offset",
  "launcher",
  "open-on-load",
  "strings-src",
  "disclosure-label",
  "disclosure-text",
  "consent-text",
  "consent-href",
  "consent-version",
  "greeting-text",
  "greeting-after",
  "greeting-paths",
] as const;

export type AttributeName = (typeof attributeNames)[number];

/** Maps the element's attributes to the component's properties. Missing ones keep the defaults. */
export function propsOf(attribute: (name: AttributeName) => string | null): ChatWidgetProps {
  const [label, href] = [attribute("contact-label"), attribute("contact-href")];
  const [locale, theme] = [attribute("locale"), attribute("theme")];
  const [api, logo] = [attribute("api"), attribute("logo")];
  const [agent, answers] = [attribute("disclosure-label"), attribute("disclosure-text")];
  const [asked, privacy] = [attribute("consent-text"), attribute("consent-href")];
  const version = attribute("consent-version");
  const [greeting, paths] = [attribute("greeting-text"), attribute("greeting-paths")];
  const after = secondsOf(attribute("greeting-after"));
  const origins = attribute("picture-origins");
  const [mode, offset] = [attribute("mode"), offsetOf(attribute("offset"))];
  return {
    agentName: attribute("agent-name") ?? "",
    shopName: attribute("shop-name") ?? "",
    ...(api === null ? {} : { api }),
    ...(locale === null ? {} : { locale }),
    ...(theme === "light" || theme === "dark" ? { theme } : {}),
    ...(label === null || href === null ? {} : { contact: { label, href } }),
    ...(logo === null ? {} : { logo }),
    customer: attribute("customer"),
    suggestions: parts(attribute("suggestions"), "|"),
    ...(origins === null ? {} : { pictureOrigins: parts(origins, " ") }),
    ...(agent === null || answers === null ? {} : { disclosure: { label: agent, text: answers } }),
    ...(asked === null || privacy === null
      ? {}
      : { consent: { text: asked, href: privacy, ...(version === null ? {} : { version }) } }),
    ...(greeting === null
      ? {}
      : {
          greeting: {
            text: greeting,
            ...(after === undefined ? {} : { after }),
            ...(paths === null ? {} : { paths: parts(paths, " ") }),
          },
        }),
    ...(mode === "inline" || mode === "page" ? { mode } : {}),
    ...(attribute("side") === "start" ? { side: "start" } : {}),
    ...(offset === undefined ? {} : { offset }),
    ...(attribute("launcher") === "none" ? { launcher: "none" } : {}),
    ...(attribute("open-on-load") === null ? {} : { openOnLoad: true }),
  };
}

/** `"24 80"`: the inline and the block distance; one number for both. */
function offsetOf(text: string | null): Offset | undefined {
  const [, inline, block = inline] = /^\s*(\d{1,4})(?:\s+(\d{1,4}))?\s*$/.exec(text ?? "") ?? [];
  return inline === undefined ? undefined : { inline: Number(inline), block: Number(block) };
}

function secondsOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,4}(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

function parts(list: string | null, separator: string): string[] {
  return (list ?? "")
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
