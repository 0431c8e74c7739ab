"use client";

import type { ReactNode } from "react";
import { openChat } from "../site/open-chat.ts";

/** A line of `/try`: opens the chat with the line in its composer. */
export function TryButton({
  draft,
  className,
  children,
}: {
  draft: string;
  className: string | undefined;
  children: ReactNode;
}) {
  return (
    <button className={className} onClick={() => openChat(draft)} type="button">
      {children}
    </button>
  );
}
