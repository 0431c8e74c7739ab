/**
 * The formats of the Chat API's identifiers and strings (docs/chat-api.md, "Resources").
 * Free of zod, so that browser code may import it. Every pattern is anchored; none is global or sticky.
 */

export const channelKeyPattern = /^dep_[a-z0-9_-]{6,80}$/;
export const chatIdPattern = /^[A-Za-z0-9_-]{8,128}$/;
export const fileIdPattern = /^[A-Za-z0-9_-]{8,128}$/;
export const fieldIdPattern = /^[A-Za-z0-9_-]{1,128}$/;
export const idempotencyKeyPattern = /^[A-Za-z0-9._:-]{8,128}$/;
/** A `userId` in a request. In a response it may be shorter and contain `@` (see `Chat.userId`). */
export const newUserIdPattern = /^[A-Za-z0-9._:-]{8,128}$/;
export const cursorPattern = /^[A-Za-z0-9_-]{1,2048}$/;
export const localePattern = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;
/** A channel's secret. The specification defines its prefix; the part behind it must be valid in a header. */
export const chatKeyPattern = /^ck_[A-Za-z0-9._~+/=-]+$/;

/**
 * A common email address: a local part, a dotted domain, letters of any script (RFC 6531), no quoting,
 * comments or control characters. The length is checked separately.
 */
export const emailPattern =
  /^(?!\.)(?!.*\.\.)[^\s@"<>(),:;\\[\]\p{C}]{1,64}(?<!\.)@(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}-]{2,}$/u;
