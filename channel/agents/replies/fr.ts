import type { Phrases } from "./phrases.ts";

export const fr: Phrases = {
  hello: (agentName) =>
    `Bonjour ! Je suis ${agentName}, l'assistant automatique de la boutique. Posez-moi vos questions sur les vélos et l'équipement, la livraison, les retours, l'atelier ou une commande.`,
  helloChoices: ["Où est ma commande ?", "Réserver une révision", "Comment faire un retour ?"],
  thanksReply: "Avec plaisir ! Puis-je faire autre chose pour vous ?",
  goodbyeReply: "Au revoir et bonne route !",
  unknown:
    "Je ne sais pas. Je n'ai rien trouvé à ce sujet dans nos pages d'aide ni au catalogue, et je préfère ne pas deviner. Voulez-vous que je vous mette en relation avec l'équipe ?",
  quoteIntroduction: "Notre page d'aide indique (en anglais) :",
  productsAll: (count) =>
    count === 1 ? "Voici ce que nous avons :" : `Nous avons ${count} articles qui correspondent :`,
  productsSome: (shown, total) =>
    `Nous avons ${total} articles qui correspondent. En voici ${shown} ; ${total - shown} autres sont en boutique.`,
  productsNone: "Nous n'avons rien de tel au catalogue.",
};
