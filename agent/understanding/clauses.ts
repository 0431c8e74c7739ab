import { splitSentences } from "../knowledge/sentences.ts";
import type { Language } from "../language/languages.ts";

const clauseBreaks: Record<Language, RegExp> = {
  en: /\s*,\s+|\s+(?:and|also|plus|but)\s+/iu,
  de: /\s*,\s+|\s+(?:und|außerdem|sowie|aber)\s+/iu,
  fr: /\s*,\s+|\s+(?:et|aussi|ainsi que|mais)\s+/iu,
  ar: /\s*،\s*|\s+(?:و|وأيضا|أيضا|ولكن)(?=\S)/u,
  ja: /、|それと|あと(?=[^で])|また|それから/u,
};

/** Words that only join a clause to the one before it, as in "Also, how long …". */
const leading = /^(?:also|and|plus|und|außerdem|auch|et|aussi|de plus)\b,?\s*/iu;

/** Yields the ways to split a message into clauses, the finest first; nothing for a single clause. */
export function* splitClauses(text: string, language: Language): Iterable<string[]> {
  const sentences = text
    .split(/\n+/)
    .flatMap((line) => splitSentences(line, language))
    .map((sentence, index) => (index === 0 ? sentence : sentence.replace(leading, "")));
  const clauses = sentences.flatMap((sentence) =>
    sentence.split(clauseBreaks[language]).filter((part) => /\S/.test(part)),
  );
  if (clauses.length > 1) yield clauses;
  if (sentences.length > 1 && sentences.length < clauses.length) yield sentences;
}
