import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link that fetches its page only when it is followed. Every page renders per request and is fetched then
 * anyway, so a prefetch saves nothing and costs a request for each link in view.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
