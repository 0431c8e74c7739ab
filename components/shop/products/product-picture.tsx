"use client";

import { useEffect, useRef, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import styles from "./product-picture.module.css";

interface ProductPictureProps {
  src: string | null;
  /** Empty where the title stands beside the picture. */
  alt: string;
  /** Written on the placeholder when there is no picture, or when it cannot be loaded. */
  name: string;
  /** Loaded at once: pictures that are in view when the page opens. */
  eager?: boolean;
  className?: string | undefined;
}

export function ProductPicture({ src, alt, name, eager = false, className }: ProductPictureProps) {
  const picture = useRef<HTMLImageElement>(null);
  const [lost, setLost] = useState(false);

  useEffect(() => {
    // A picture that failed before the page was alive has already told nobody.
    const element = picture.current;
    if (element?.complete && element.naturalWidth === 0) setLost(true);
  }, []);

  if (src === null || lost) {
    return (
      <div aria-hidden={alt === ""} className={classNames(styles["placeholder"], className)}>
        <span className={styles["name"]} dir="auto">
          {name}
        </span>
        {lost ? <span className={styles["note"]}>Picture to follow</span> : null}
      </div>
    );
  }
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
