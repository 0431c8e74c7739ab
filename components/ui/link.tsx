"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link that fetches its page once a pointer is on it. Next would fetch every page in view, and each is
 * rendered for its request.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  const [isPointedAt, setIsPointedAt] = useState(false);
  const prefetch = props.prefetch ?? isPointedAt;
  return <NextLink {...props} onPointerEnter={() => setIsPointedAt(true)} prefetch={prefetch} />;
}
