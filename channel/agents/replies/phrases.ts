/** What the agent says in its own words; facts are put in by the caller and come from the shop's data. */
export interface Phrases {
  hello(agentName: string): string;
  helloChoices: readonly string[];
  thanksReply: string;
  goodbyeReply: string;
  /** Nothing was found. */
  unknown: string;
  /** Before a passage that exists in another language only. */
  quoteIntroduction: string;
  /** All matching products are shown. */
  productsAll(count: number): string;
  /** More products match than are shown. */
  productsSome(shown: number, total: number): string;
  productsNone: string;
}
