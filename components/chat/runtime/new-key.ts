/** A fresh idempotency key. `crypto.randomUUID` is missing on pages that are not served securely. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
