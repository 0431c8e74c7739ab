import type { Shop } from "../knowledge/shop.ts";
import { languages } from "../language/languages.ts";
import { recallDialogue } from "../understanding/recall-dialogue.ts";
import { understand } from "../understanding/understand.ts";

/**
 * Understands a long text in each language, of the help pages: until the code is compiled, a message takes
 * several times as long.
 */
export function rehearse(shop: Shop): void {
  for (const language of languages) {
    const own = shop.help.passages.filter((passage) => passage.language === language);
    const sentences = own.flatMap(({ section }) => section.sentences).slice(0, 24);
    understand(sentences.join(" "), recallDialogue([], language, shop), shop);
  }
}
