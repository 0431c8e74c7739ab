/**
 * A common email address: a local part, a dotted domain, letters of any script (RFC 6531), no quoting,
 * comments or control characters. The length is checked separately.
 */
export const emailPattern =
  /^(?!\.)(?!.*\.\.)[^\s@"<>(),:;\\[\]\p{C}]{1,64}(?<!\.)@(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}-]{2,}$/u;
