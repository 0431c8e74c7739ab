import type { ChatWidgetProps } from "../chat-widget.tsx";
import type { IconName } from "../controls/icons.tsx";
import type { Offset } from "../launcher/place.ts";

/**
 * Maps the element's attributes to the component's properties, but for `api`, which has a default of the
 * element's own. Other missing ones keep the defaults.
 */
export function propsOf(attribute: (name: string) => string | null): ChatWidgetProps {
  const text = (name: string) => attribute(name) ?? undefined;
  const oneOf = <Value extends string>(name: string, ...values: Value[]) =>
    values.find((value) => value === attribute(name));
  const words = (name: string) => (attribute(name) === null ? undefined : parts(text(name), /\s/));
  const help = whole({ label: text("help-label"), href: text("help-href") });
  const search = text("help-search");
  const consent = whole({ text: text("consent-text"), href: text("consent-href") });
  const version = text("consent-version");
  const greeting = whole({ text: text("greeting-text") });
  const [after, paths] = [secondsOf(text("greeting-after")), words("greeting-paths")];
  return {
    agentName: text("agent-name") ?? "",
    shopName: text("shop-name") ?? "",
    locale: text("locale"),
    theme: oneOf("theme", "light", "dark"),
    contact: whole({ label: text("contact-label"), href: text("contact-href") }),
    logo: text("logo"),
    customer: attribute("customer"),
    suggestions: parts(text("suggestions"), /(?<!\\)\|/),
    suggestionIcons: words("suggestion-icons") as IconName[] | undefined,
    teamHours: text("team-hours"),
    help: help && { ...help, search },
    pictureOrigins: words("picture-origins"),
    disclosure: whole({ label: text("disclosure-label"), text: text("disclosure-text") }),
    consent: consent && { ...consent, version },
    greeting: greeting && { ...greeting, after, paths },
    mode: oneOf("mode", "inline", "page"),
    side: oneOf("side", "start"),
    offset: offsetOf(text("offset")),
    launcher: oneOf("launcher", "none"),
    openOnLoad: attribute("open-on-load") === null ? undefined : true,
  };
}

/** The attributes: those of the element's own, and all that `propsOf` reads. */
const names = new Set(["api", "strings-src"]);
propsOf((name) => {
  names.add(name);
  return null;
});
export const attributeNames: readonly string[] = [...names];

/** Undefined if one of the texts is missing. */
function whole<Texts extends Record<string, string | undefined>>(texts: Texts) {
  const isWhole = !Object.values(texts).includes(undefined);
  return isWhole ? (texts as { [Name in keyof Texts]: string }) : undefined;
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
