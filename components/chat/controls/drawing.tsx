import type { ComponentProps } from "react";

interface DrawingProps extends ComponentProps<"svg"> {
  path: string;
  size?: number | undefined;
}

/**
 * A path on a 24-unit grid; the theme strokes it. `size` is in pixels at the default font size, with which it
 * grows. Apart from the icons, which the launcher does not load.
 */
export function Drawing({ path, size = 20, ...svg }: DrawingProps) {
  return (
    <svg {...svg} aria-hidden="true" width={`${size / 16}em`} viewBox="0 0 24 24">
      <path d={path} />
    </svg>
  );
}
