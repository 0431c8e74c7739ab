/** A path on a 24-unit grid, which the theme strokes. In a file of its own, because the launcher does not load the icons. */
export function Drawing({ path, size = 20 }: { path: string; size?: number | undefined }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24">
      <path d={path} />
    </svg>
  );
}
