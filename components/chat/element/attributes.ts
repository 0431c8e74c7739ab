import type { ChatWidgetProps } from "../chat-widget.tsx";

export const attributeNames = [
  "api",
  "agent-name",
  "shop-name",
  "locale",
  "theme",
  "contact-label",
  "contact-href",
  "suggestions",
  "picture-origins",
  "customer",
] as const;

export type AttributeName = (typeof attributeNames)[number];

/** Maps the element's attributes to the component's properties. Missing ones keep the defaults. */
export function propsOf(attribute: (name: AttributeName) => string | null): ChatWidgetProps {
  const [label, href] = [attribute("contact-label"), attribute("contact-href")];
  const [locale, theme] = [attribute("locale"), attribute("theme")];
  const api = attribute("api");
  const origins = attribute("picture-origins");
  return {
    agentName: attribute("agent-name") ?? "",
    shopName: attribute("shop-name") ?? "",
    ...(api === null ? {} : { api }),
    ...(locale === null ? {} : { locale }),
    ...(theme === "light" || theme === "dark" ? { theme } : {}),
    ...(label === null || href === null ? {} : { contact: { label, href } }),
    customer: attribute("customer"),
    suggestions: parts(attribute("suggestions"), "|"),
    ...(origins === null ? {} : { pictureOrigins: parts(origins, " ") }),
  };
}

function parts(list: string | null, separator: string): string[] {
  return (list ?? "")
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
