import type { ReactNode } from "react";
import { useChatContext } from "../chat-context.ts";
import { Hidden } from "./hidden.tsx";

export interface SafeLinkProps {
  /** The result of `safeUrl`. */
  url: URL;
  className?: string | undefined;
  /** Called when it is opened, also in another tab. */
  onOpen?: (() => void) | undefined;
  children: ReactNode;
}

/**
 * A link to a URL from a message. It opens in a new tab without referrer and opener. Its tooltip shows the
 * URL in ASCII, which exposes look-alike characters.
 */
export function SafeLink({ url, className, onOpen, children }: SafeLinkProps) {
  const { t } = useChatContext();
  return (
    <a
      href={url.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      referrerPolicy="no-referrer"
      title={url.href}
      className={className}
      onClick={onOpen}
      // The middle button opens it, too.
      onAuxClick={({ button }) => button === 1 && onOpen?.()}
    >
      {children}
      <Hidden> ({t.links.opens})</Hidden>
    </a>
  );
}
