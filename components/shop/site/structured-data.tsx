/** schema.org data for search engines, not executed. `<` is escaped so that no value closes the element. */
export function StructuredData({ data }: { data: Record<string, unknown> }) {
  const json = JSON.stringify({ "@context": "https://schema.org", ...data }).replaceAll("<", "\\u003c");
  return <script type="application/ld+json">{json}</script>;
}
