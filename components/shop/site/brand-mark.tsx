/** The shop's logo: a peak and a tarn inside a wheel. */
export function BrandMark({ size = 36 }: { size?: number }) {
  return (
    <svg
      aria-hidden="true"
      fill="none"
      focusable="false"
      height={size}
      strokeLinecap="round"
      viewBox="0 0 48 48"
      width={size}
    >
      <circle
        cx="24"
        cy="24"
        fill="light-dark(#e0ebe4, #1b332c)"
        r="21.5"
        stroke="var(--color-text)"
        strokeWidth="4"
      />
      <path d="M7.5 29 19 12.5l5.5 7.5 4-4.5L40.5 29z" fill="light-dark(#1c5a4a, #7fc9ab)" />
      <path d="m19 12.5 5.5 7.5-2.8 1.5-2.7-2.5-2.7 3.5-2-2.8z" fill="light-dark(#faf7f1, #eeebe3)" />
      <path
        d="M6.5 29.5h35A17.8 17.8 0 0 1 24 42 17.8 17.8 0 0 1 6.5 29.5z"
        fill="light-dark(#2b7d8c, #4fa6b5)"
      />
      <path d="M15 34h12M22 38h9" stroke="light-dark(#cfe3e6, #12181b)" strokeWidth="2" />
    </svg>
  );
}
