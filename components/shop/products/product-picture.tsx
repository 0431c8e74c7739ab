"use client";

import { useEffect, useRef, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import styles from "./product-picture.module.css";

interface ProductPictureProps {
  src: string | null;
  /** Empty if the title is next to the picture. */
  alt: string;
  /** Shown if there is no picture. */
  name: string;
  /** Loads eagerly: for pictures that are in view on page load. */
  eager?: boolean;
  className?: string | undefined;
}

export function ProductPicture({ src, alt, name, eager = false, className }: ProductPictureProps) {
  const picture = useRef<HTMLImageElement>(null);
  const [lost, setLost] = useState(false);

  useEffect(() => {
    // A picture that failed before hydration fires no further `error` event.
    const element = picture.current;
    if (element?.complete && element.naturalWidth === 0) setLost(true);
  }, []);

  if (src === null || lost) {
    return (
      <div aria-hidden={alt === ""} className={classNames(styles["placeholder"], className)}>
        <span dir="auto">{lost ? "Picture to follow" : name}</span>
      </div>
    );
  }
  // `next/image` leaves SVG as it is, and adds 7 kB of script and a style attribute that the policy blocks.
  return (
    <img
      alt={alt}
      className={classNames(styles["picture"], className)}
      decoding="async"
      height={640}
      loading={eager ? "eager" : "lazy"}
      onError={() => setLost(true)}
      ref={picture}
      src={src}
      width={640}
    />
  );
}
