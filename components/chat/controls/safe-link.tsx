import type { ReactNode } from "react";
import { Hidden } from "./hidden.tsx";

export interface SafeLinkProps {
  /** Made by `safeUrl`. */
  url: URL;
  /** "opens in a new tab" */
  hint: string;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A link that others wrote. It opens beside the shop, learns nothing of where it was pressed, and gets no hold on this
 * page. Its tooltip is the address in ASCII, which tells look-alikes apart.
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
