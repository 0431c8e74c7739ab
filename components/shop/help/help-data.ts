/** A help page as schema.org data: each section becomes a question with its answer. */
import { type HelpPage, plainText } from "#lib/shop/help.ts";

export function helpData(page: HelpPage): Record<string, unknown> {
  return {
    "@type": "FAQPage",
    inLanguage: page.locale,
    name: page.title,
    mainEntity: page.sections.map(({ heading, blocks }) => ({
      "@type": "Question",
      name: `${page.title}: ${heading}`,
      acceptedAnswer: { "@type": "Answer", text: plainText(blocks) },
    })),
  };
}
