/** An HTTP request as text, for requests that no client would send. */
export function rawRequest(
  method: string,
  target: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
  body = "",
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
