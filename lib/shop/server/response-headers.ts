/**
 * Headers of everything except the chat's server, whose pipeline sets its own: a header set in both places
 * would be sent twice. Pages get their Content Security Policy, with a nonce, from `proxy.ts`. The policy
 * below is for the paths that the proxy skips: `/api`, Next's own files, and paths with a file extension.
 */
const headers = [
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
  { key: "Referrer-Policy", value: "no-referrer" },
  // Ignored by browsers on plain http.
  { key: "Strict-Transport-Security", value: "max-age=31536000; includeSubDomains" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
];

/** The chat's files may have an extension, too. */
const apis = "/(api(?:/(?!chat(?:/|$)).*)?)";
const files =
  "/(_next/.*|(?!api/chat(?:/|$)).*\\.(?:avif|css|gif|ico|jpg|js|json|map|png|svg|txt|webmanifest|webp|woff2|xml))";
/**
 * Forbids all scripts. A missing file is answered with the shop's 404 page, whose scripts would otherwise
 * run.
 */
const filePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The value of `headers` in Next's configuration. */
export const responseHeaders = [
  { source: "/((?!api/chat(?:/|$)).*)", headers },
  { source: apis, headers: [{ key: "Content-Security-Policy", value: filePolicy }] },
  { source: files, headers: [{ key: "Content-Security-Policy", value: filePolicy }] },
];
