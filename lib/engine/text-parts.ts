/**
 * Makes foreign text safe to show: plain web addresses, email addresses and telephone numbers become links,
 * nothing else does. The API's text is plain text (docs/chat-api.md, "Message"); nothing in it is markup.
 */

export type TextPart =
  | { kind: "text"; text: string }
  | { kind: "link"; text: string; url: URL }
  /** `href` begins with `mailto:` or `tel:`. */
  | { kind: "contact"; text: string; href: string };

/**
 * Japanese and Chinese put no space after an address: it ends at their punctuation (CJK and full-width forms)
 * or at a particle, which is written in hiragana. Other letters may belong to an address. Quotation marks end
 * it, too: which one closes depends on the language, „German“ and “English”. Only an apostrophe may be
 * within. So do Markdown's backtick and table bar.
 */
const webPattern =
  /https?:\/\/[^\s<>"`|\p{C}\p{Script=Hiragana}\xab\xbb\u2018\u201a-\u201f\u2039\u203a\u3001-\u303f\uff01-\uff65]+/u;
const emailPattern = /(?<![\w.+-])[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.){1,4}[a-z]{2,24}(?![\w@])/u;
/**
 * International numbers, and national ones in groups: `+44 1632 960101`, `(01632) 960101`, `03-1234-5678`.
 * References and bar codes have no groups.
 */
const phonePattern =
  /(?<![\w+./#-])(?:\+\d+|\(?0\d{1,4}\)?(?=[ \xa0-]))(?:[ \xa0-]\(?\d+(?:\)\d*)?)*(?![\w@]|[./-]\d)/u;
const addressPattern = new RegExp(
  [webPattern, emailPattern, phonePattern].map(({ source }) => source).join("|"),
  "giu",
);
/** Punctuation of sentences in five scripts, and Markdown's emphasis. */
const trailingPunctuation = new Set(".,;:!?'’…،؛؟*_~([{");
const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
/** Maximum number of links in one text: they are expensive, and a reply renders again with each delta. */
const maxAddresses = 100;

export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  addressPattern.lastIndex = 0;
  for (let addresses = 0; addresses < maxAddresses; addresses += 1) {
    const match = addressPattern.exec(text);
    if (match === null) break;
    const { 0: found, index } = match;
    const part = linkOf(found);
    if (part === null) continue;
    if (index > from) parts.push({ kind: "text", text: text.slice(from, index) });
    parts.push(part);
    from = index + part.text.length;
    // What does not belong to this address may hold the next: `[https://a.example](https://a.example/b)`.
    addressPattern.lastIndex = from;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

function linkOf(found: string): TextPart | null {
  if (/^[+(\d][^@]+$/.test(found)) {
    const digits = found.replaceAll(/\D/gu, "").length;
    const isDate = /^0\d\D\d\d\D\d{4}/.test(found);
    const isNumber = digits > 7 && digits < (found.startsWith("+") ? 16 : 12) && !isDate;
    const href = isNumber ? phoneLink(found) : null;
    return href === null ? null : { kind: "contact", text: found, href };
  }
  const text = trimAddress(found);
  const url = safeUrl(text);
  if (url !== null) return { kind: "link", text, url };
  return text.includes("://") ? null : { kind: "contact", text, href: `mailto:${text}` };
}

/**
 * Punctuation after an address belongs to the sentence. So does a closing bracket that the address has not
 * opened, with all that follows, and what follows Markdown's `**`.
 */
function trimAddress(found: string): string {
  const opened: (string | undefined)[] = [];
  let end = 0;
  for (; end < found.length && !found.startsWith("**", end); end += 1) {
    const character = found.charAt(end);
    if (character in closing) opened.push(closing[character]);
    else if (")]}".includes(character) && opened.pop() !== character) break;
  }
  while (trailingPunctuation.has(found.charAt(end - 1))) end -= 1;
  return found.slice(0, end);
}

const longestAddress = 2_048;

/**
 * The address as a safe URL, or null: http or https, absolute as written, without a user name before the host
 * (`https://bank.example@evil.example`). A URL's host is ASCII, which reveals look-alikes.
 */
export function safeUrl(address: string | null): URL | null {
  if (address === null || address.length > longestAddress || !/^https?:\/\/[^/\\]/i.test(address))
    return null;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.username === "" && url.password === "" ? url : null;
}

/** A telephone number as a link, or null if it is not one. */
export function phoneLink(phone: string | null): string | null {
  if (phone === null || !/^\+?[\d\s().\-/]{5,30}$/u.test(phone)) return null;
  // `+44 (0)1632 960101`: the zero is for callers within the country.
  const dialled = phone.trim().startsWith("+") ? phone.replace("(0)", "") : phone;
  return `tel:${dialled.replaceAll(/[^\d+]/gu, "")}`;
}
