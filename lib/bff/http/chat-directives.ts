/** Content Security Policy sources that the chat needs on a host's pages. */

export interface ChatDirectivesOptions {
  /** Origins of product pictures besides the page's own. */
  pictureOrigins?: readonly string[];
}

/**
 * Source lists to merge into the host's own policy. Nothing is inline and only pictures come from other
 * origins, so the lists work with nonces, with hashes and with neither.
 */
export function chatDirectives({ pictureOrigins = [] }: ChatDirectivesOptions = {}) {
  return {
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "connect-src": ["'self'"],
    // Previews of files that are not uploaded yet are object URLs.
    "img-src": ["'self'", "blob:", ...pictureOrigins],
  };
}
