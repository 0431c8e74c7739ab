import type { ChatWidgetProps } from "../chat-widget.tsx";
import type { IconName } from "../controls/icons.tsx";
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
  "suggestion-icons",
  "team-hours",
  "help-label",
  "help-href",
  "help-search",
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

/**
 * Maps the element's attributes to the component's properties, but for `api`, which has a default of the
 * element's own. Other missing ones keep the defaults.
 */
export function propsOf(attribute: (name: AttributeName) => string | null): ChatWidgetProps {
  const text = (name: AttributeName) => attribute(name) ?? undefined;
  const oneOf = <Value extends string>(name: AttributeName, ...values: Value[]) =>
    values.find((value) => value === attribute(name));
  const [label, href] = [text("contact-label"), text("contact-href")];
  const [help, pages] = [text("help-label"), text("help-href")];
  const [agent, answers] = [text("disclosure-label"), text("disclosure-text")];
  const [asked, privacy] = [text("consent-text"), text("consent-href")];
  const [greeting, paths] = [text("greeting-text"), text("greeting-paths")];
  const [origins, icons] = [text("picture-origins"), text("suggestion-icons")];
  return {
    agentName: text("agent-name") ?? "",
    shopName: text("shop-name") ?? "",
    locale: text("locale"),
    theme: oneOf("theme", "light", "dark"),
    contact: label !== undefined && href !== undefined ? { label, href } : undefined,
    logo: text("logo"),
    customer: attribute("customer"),
    suggestions: parts(text("suggestions"), /(?<!\\)\|/),
    suggestionIcons: icons === undefined ? undefined : (parts(icons, /\s/) as IconName[]),
    teamHours: text("team-hours"),
    help:
      help !== undefined && pages !== undefined
        ? { label: help, href: pages, search: text("help-search") }
        : undefined,
    pictureOrigins: origins === undefined ? undefined : parts(origins, /\s/),
    disclosure: agent !== undefined && answers !== undefined ? { label: agent, text: answers } : undefined,
    consent:
      asked !== undefined && privacy !== undefined
        ? { text: asked, href: privacy, version: text("consent-version") }
        : undefined,
    greeting:
      greeting === undefined
        ? undefined
        : {
            text: greeting,
            after: secondsOf(text("greeting-after")),
            paths: paths === undefined ? undefined : parts(paths, /\s/),
          },
    mode: oneOf("mode", "inline", "page"),
    side: oneOf("side", "start"),
    offset: offsetOf(text("offset")),
    launcher: oneOf("launcher", "none"),
    openOnLoad: attribute("open-on-load") === null ? undefined : true,
  };
}

/** `"24 80"`: the inline and the block distance; one number for both. */
function offsetOf(text = ""): Offset | undefined {
  const [, inline, block = inline] = /^\s*(\d{1,4})(?:\s+(\d{1,4}))?\s*$/.exec(text) ?? [];
  return inline === undefined ? undefined : { inline: Number(inline), block: Number(block) };
}

function secondsOf(text = ""): number | undefined {
  return /^\d{1,4}(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

/** A bar within a part is written `\|`. */
function parts(list = "", separator: RegExp): string[] {
  return list
    .split(separator)
    .map((part) => part.replaceAll("\\|", "|").trim())
    .filter((part) => part !== "");
}
