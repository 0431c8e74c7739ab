/** A stroked path on a 24-unit grid. In a file of its own, because the launcher does not load the icons. */
export function Drawing({ path, size = 20 }: { path: string; size?: number | undefined }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  );
}
