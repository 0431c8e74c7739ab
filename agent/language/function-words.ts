import { fold } from "./fold.ts";
import type { Language } from "./languages.ts";

/**
 * Grammatical and other common words: they reveal the language but carry no topic. Arabic and Japanese are
 * recognised by their script.
 */
const lists: Record<Language, string> = {
  en: `a an the this that these those i you he she we they me him her us them my your his its our their mine yours ours
    is am are was were be been being do does did doing done have has had having can could will would shall should may might
    must of in on at by for from to with without about into onto over under after before between during through than then
    there here and or but if so because as while until not no yes any some all each every both either neither much many
    few more most less least very too also just only still even ever never again already yet now what which who whom whose
    when where why how please hello hi thanks thank get got getting give gives gave make made take took go goes going went come came let
    know like want need see say said tell told ask asked think thought work works find found use used try tried call
    one ones two three something anything nothing everything someone anyone thing things way really actually maybe perhaps
    im ive id ill youre dont doesnt didnt cant wont isnt arent wasnt werent couldnt shouldnt wouldnt hasnt havent theres thats whats
    guys folks mate sir madam today up down out off back away per via etc well good okay able possible new old own other same such
    online whether kindly wondering wonder hope hoping happen happens happened keep kept put look looking looks seem seems sure long time
    day days week weeks month months year years people lot bit kind sort quite rather else once since ago soon later next last first
    right left big small little best better yourself myself anyway however though although`,
  de: `der die das den dem des ein eine einen einem einer eines ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm
    ihnen mein meine meinen meiner meinem dein deine deinen euer eure unser unsere sein seine ihre ihren ist bin bist sind seid war waren gewesen wird werden wurde
    worden habe hast hat haben hatte hatten kann kannst konnen konnte konnt darf durfen muss mussen soll sollen will wollen wollte mochte
    mochten wurde von in im an am auf aus bei mit nach zu zum zur fur ohne uber unter um durch gegen bis seit wahrend zwischen und oder aber wenn
    dass ob weil als wie was wer wo wann warum wieso welche welcher welches welchen nicht kein keine keinen nein ja doch mal
    schon noch nur auch sehr viel viele mehr weniger hier da dort jetzt dann immer bitte danke hallo gibt gib geben geht gehen
    machen macht mache etwas nichts alles jemand man sich so denn eigentlich vielleicht wirklich gern gerne gut neu neue neuen
    diese dieser dieses diesen diesem jene einmal ware hatte wissen sagen frage moglich wurden beim vom ins ubrigens zwei drei
    uns euch lasst lassen kommt kommen nehmen nimmt steht stehen finde finden welchem alle allem damit dafur davon daran darauf`,
  fr: `le la les un une des du de au aux ce cet cette ces je tu il elle on nous vous ils elles me te se moi toi lui leur leurs
    mon ma mes ton ta tes son sa ses notre nos votre vos est suis es sommes etes sont etait etaient sera serait ai as a avons avez ont
    avait fait faire faites peut peux pouvez puis pouvoir veux veut voulez vouloir dois doit devez voudrais aimerais et ou mais si
    donc car ni que qui quoi dont quel quelle quels quelles comment combien quand pourquoi ne pas non oui plus moins tres trop
    aussi bien encore toujours jamais deja ici maintenant pour par avec sans sous sur dans chez vers entre avant apres depuis pendant
    y en merci bonjour svp quelque quelques chose tout toute tous toutes rien quelqu autre autres meme peu beaucoup
    y cela ca c j l d n s t qu voici voila alors etre avoir va vais allez aller vient deux trois faut plait besoin savoir dire`,
  ar: `في من على إلى عن مع هل ما ماذا متى أين كيف كم لماذا هذا هذه ذلك تلك أنا أنت هو هي نحن هم كان كانت يكون أن إن لا نعم لم لن قد
    ثم أو و ف ب ل ك التي الذي الذين عند عندي لدي لديكم عندكم بعد قبل بين كل بعض غير أي لو إذا حتى فقط أيضا جدا هناك هنا يا شيء لي لك له
    لها لنا لكم بها به فيه فيها منها منه عليه عليها أكثر أقل مثل حول خلال أريد يمكن يمكنني ممكن الآن تم يوجد ليس سوف`,
  ja: "",
};

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter(Boolean).map(fold));
}

export const functionWords: Record<Language, ReadonlySet<string>> = {
  en: wordSet(lists.en),
  de: wordSet(lists.de),
  fr: wordSet(lists.fr),
  ar: wordSet(lists.ar),
  ja: wordSet(lists.ja),
};
