/** The markets of a listing, in words. */
export const markets = {
  gb: { short: "UK", long: "the United Kingdom" },
  eu: { short: "for the EU", long: "countries of the European Union" },
  jp: { short: "for Japan", long: "Japan" },
  kw: { short: "for Kuwait", long: "Kuwait" },
} as const;
