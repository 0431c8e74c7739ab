import { fold } from "./fold.ts";
import type { Language } from "./languages.ts";

/**
 * Everyday words that resemble the shop's words: "prime" is not a misspelt "price". The spelling correction
 * leaves them alone, and the agent does not understand them.
 */
const lists: Partial<Record<Language, string>> = {
  en: `prime world word work works won wonder weather leather minister president capital city country county court mother
    father brother sister dad mum mom wife husband son friend friends family cousin boss baby name names news music movie film
    book song game games play player team's sport sports football cricket tennis race races run runs running walk walks swim
    food bread meat fish milk beer wine water rice cake pizza restaurant hotel house home room door table chair bed kitchen
    garden tree trees flower flowers river lake sea sky sun moon star stars earth planet god war peace law king queen
    prince police doctor nurse school teacher student university lesson exam test tests math science history art artist
    horse cat cow bird birds mouse lion tiger animal head hand foot feet heart brain blood body face eyes hair skin
    phone computer laptop laptops internet website page email app software code google facebook twitter youtube television radio
    money bank job office meeting company business boss union tax party vote election government
    love like hate hope wish dream feel felt feeling happy sad glad sorry tired sick ill dead alive born die died life live
    lived think thought believe guess mean meant remember forget forgot learn teach read write wrote spell sing sang dance draw
    paint cook eat ate drink drank sleep slept wake wear buy sell sold lose lost win find found catch throw kick jump climb
    drive drove fly flew travel trip holiday train bus plane airport station road street bridge map north south east west left
    hot cold warm cool wet dry wind windy snow storm rain cloud fast slow quick early late young old tall short fat thin rich
    poor clean dirty dark bright loud quiet hard soft easy difficult simple funny serious strange normal special famous
    yesterday tonight century minute second hour morning afternoon evening night noon midnight spring autumn
    meaning reason story joke riddle question answer number letter sentence language truth secret idea plan problem point
    sponsor local global matching match loyalty programme program student senior military charity sponsor career careers jobs
    hiring invest shares stock market crypto bitcoin lottery casino horoscope recipe poem cheese universe flat round
    bake baked baking boil fry`,
  de: `welt wetter minister prasident hauptstadt vater mutter bruder schwester freund essen trinken schlafen musik film buch spiel
    haus zimmer tisch hund katze pferd vogel sonne mond himmel stern gott krieg liebe leben tod geld bank arbeit firma chef`,
  fr: `monde temps ministre president capitale pere mere frere soeur ami manger boire dormir musique film livre jeu maison
    chambre table chien chat cheval oiseau soleil lune ciel etoile dieu guerre amour vie mort argent banque travail patron`,
};

const sets = new Map(
  Object.entries(lists).map(([language, list]) => [
    language,
    new Set(list.split(/\s+/).filter(Boolean).map(fold)),
  ]),
);

export function isCommonWord(word: string, language: Language): boolean {
  return sets.get(language)?.has(word) ?? false;
}
