/**
 * The agent's own phrases. Callers insert facts from the shop's data: prices come formatted, lists joined,
 * titles in the customer's language where available.
 */
export interface Phrases {
  // Talk
  hello(agentName: string): string;
  helloChoices: readonly string[];
  /** Introduces an answer to a question asked along with a greeting. */
  helloFirst: string;
  thanksFirst: string;
  thanksReply: string;
  goodbyeReply: string;
  howAreYouReply: string;
  whoAreYouReply(agentName: string): string;
  capabilities: string;
  jokeReply: string;
  insultReply: string;
  praiseReply: string;
  laughReply: string;
  yesReply: string;
  noReply: string;
  fileReceived: string;

  // Not knowing
  /** Says that nothing was found, and offers the team. */
  unknown: string;
  /** Answers the first message that means nothing to the agent. */
  notUnderstood: string;
  /** Answers the second such message in a row, and offers the team. */
  notUnderstoodAgain: string;
  /** Introduces a passage that does not mention these words. */
  notMentioned(words: string): string;
  /** Introduces a passage that exists in English only. */
  quoteIntroduction: string;
  /** Introduces the citations of all sections about a topic. */
  everythingFound(count: number): string;

  // People
  personOffer: string;
  upsetOffer: string;
  offerStands: string;

  // Products
  productsAll(count: number): string;
  productsSome(shown: number, total: number): string;
  productsNone: string;
  productsNoMore: string;
  productsNearest: string;
  productsChoices: readonly string[];
  free: string;
  priceFrom(price: string): string;
  priceWas(price: string): string;
  priceUnknown: string;
  inStock: string;
  soldOut: string;
  stockUnknown: string;
  collectOnly: string;
  colours(list: string): string;
  colourYes(colour: string): string;
  colourNo(wanted: string, list: string): string;
  sizes(list: string): string;
  sizeYes(size: string): string;
  sizeNo(wanted: string, list: string): string;
  onShelfIn(stores: string): string;
  notOnShelfIn(store: string): string;
  /** Introduces a sentence of the catalogue that exists in English only. */
  catalogueQuote: string;
  /** Translations of the row labels that customers ask for most, by English label. */
  specLabels: Readonly<Record<string, string>>;
  comparison: string;
  cheapest(title: string): string;
  lightest(title: string): string;
  sizeQuestion: string;
  sizeQuestionChoices: readonly string[];
  colourNames: Readonly<Record<string, string>>;

  // Orders
  ordersFound(count: number): string;
  ordersMore(shown: number, more: number): string;
  orderStatus(reference: string, status: string): string;
  orderDue(due: string): string;
  orderNotYours(reference: string): string;
  orderNotFound: string;
  orderNotFoundAgain: string;
  ordersNone: string;
  orderWhich: string;
  orderTopic: string;
  orderTopicChoices: readonly string[];

  // Forms
  formIntroduction(purpose: string): string;
  formCancelled: string;
  formSkipped: string;
  returnSaved: string;
  bookingSaved(shop: string, day: string): string;
  feedbackSaved: string;
  fittingSaved: string;
  handoffSaved: string;
  startReturn: string;
  startBooking: string;

  // Shops
  openingHours(store: string, hours: string): string;
  opens(day: string, from: string, to: string): string;
  closedOn(day: string): string;
  openNow(store: string, until: string): string;
  closedNow(store: string, day: string, from: string): string;
  storeAddress(store: string, address: string): string;
  storePhone(phone: string): string;
  storeWithoutPhone(email: string): string;
  /** Names of the days, Monday first. */
  days: readonly string[];
  today: string;
  tomorrow: string;
  rangeOfDays(from: string, to: string): string;

  // Demonstrations
  thinking: string;
  askPreamble: string;
  askQuestion: string;
  askChoices: readonly string[];
}
