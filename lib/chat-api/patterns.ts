/**
 * The formats of the Chat API's identifiers and strings (specification, "Resources" and "Endpoints").
 * Free of zod, so that browser code may import it. Every pattern is anchored; none is global or sticky.
 */

export const channelKeyPattern = /^dep_[a-z0-9_-]{6,80}$/;
export const chatIdPattern = /^[A-Za-z0-9_-]{8,128}$/;
export const fileIdPattern = /^[A-Za-z0-9_-]{8,128}$/;
export const fieldIdPattern = /^[A-Za-z0-9_-]{1,128}$/;
export const idempotencyKeyPattern = /^[A-Za-z0-9._:-]{8,128}$/;
/** A `userId` that a caller may send. A `userId` that is read may be shorter and hold `@` (see `Chat.userId`). */
export const newUserIdPattern = /^[A-Za-z0-9._:-]{8,128}$/;
export const cursorPattern = /^[A-Za-z0-9_-]{1,2048}$/;
export const localePattern = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;
/** `Chat key`: the secret of a channel. The specification names only its first characters; the rest must fit a header. */
export const chatKeyPattern = /^ck_[A-Za-z0-9._~+/=-]+$/;

/**
 * An e-mail address as people have them: a local part, a dotted domain, letters of any script (RFC 6531), no quoting,
 * no comments, no control characters. Length is checked apart from it.
 */
export const emailPattern =
  /^(?!\.)(?!.*\.\.)[^\s@"<>(),:;\\[\]\p{C}]{1,64}(?<!\.)@(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}-]{2,}$/u;
