import type { HTMLAttributes } from "react";

type RowProps = HTMLAttributes<HTMLDivElement> & { [name: `data-${string}`]: string | boolean | undefined };

export function Row(props: RowProps) {
  // biome-ignore lint/a11y/useSemanticElements: a list element takes no pages between itself and its entries
  return <div role="listitem" data-row="" {...props} />;
}
