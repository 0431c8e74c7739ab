/** A path on a 24-unit grid; the theme strokes it. Apart from the icons, which the launcher does not load. */
export function Drawing({ path, size = 20 }: { path: string; size?: number | undefined }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24">
      <path d={path} />
    </svg>
  );
}
