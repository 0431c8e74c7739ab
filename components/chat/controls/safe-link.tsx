import type { ReactNode } from "react";
import { Hidden } from "./hidden.tsx";

export interface SafeLinkProps {
  /** The result of `safeUrl`. */
  url: URL;
  /** "opens in a new tab" */
  hint: string;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A link from someone else's text. It opens in a new tab without referrer and opener. Its tooltip shows the
 * address in ASCII, which exposes look-alike characters.
 */
export function SafeLink({ url, hint, className, children }: SafeLinkProps) {
  return (
    <a
      href={url.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      referrerPolicy="no-referrer"
      title={url.href}
      className={className}
    >
      {children}
      <Hidden> ({hint})</Hidden>
    </a>
  );
}
