import type { Phrases } from "./phrases.ts";

export const fr: Phrases = {
  hello: (agentName) =>
    `Bonjour ! Je suis ${agentName}, l'assistant automatique de la boutique. Posez-moi vos questions sur les vélos et l'équipement, la livraison, les retours, l'atelier ou une commande.`,
  helloChoices: [
    "Où est ma commande ?",
    "Montrez-moi des vélos",
    "Comment faire un retour ?",
    "Réserver une révision",
  ],
  helloFirst: "Bonjour !",
  thanksFirst: "Avec plaisir !",
  thanksReply: "Avec plaisir ! Puis-je faire autre chose pour vous ?",
  goodbyeReply: "Au revoir et bonne route !",
  howAreYouReply: "Très bien, merci : huilé et prêt à rouler. Que puis-je faire pour vous ?",
  whoAreYouReply: (agentName) =>
    `Je suis ${agentName}, un assistant automatique et non une personne. Je réponds à partir des pages d'aide, du catalogue et des commandes de la boutique. Si vous préférez parler à une personne, dites-le-moi.`,
  capabilities:
    "Je peux trouver et comparer des produits, répondre sur la livraison, les retours, le paiement, les tailles, l'atelier et les horaires, retrouver une commande, ouvrir un retour ou réserver l'atelier, et vous mettre en relation avec l'équipe.",
  jokeReply:
    "Pourquoi le vélo ne tient-il pas debout tout seul ? Parce qu'il est crevé. Je suis meilleur sur les vélos et les commandes.",
  insultReply:
    "Je suis désolé de ne pas vous avoir aidé. Dites-moi en quelques mots ce qu'il vous faut, ou demandez à parler à une personne et je vous mettrai en relation.",
  praiseReply: "Merci ! Puis-je faire autre chose pour vous ?",
  laughReply: "Tant mieux ! Que puis-je faire pour vous ?",
  yesReply: "Bien. Que puis-je faire pour vous ?",
  noReply: "Très bien. Écrivez-moi si vous avez besoin d'autre chose.",
  fileReceived:
    "Merci, j'ai bien reçu votre fichier. Je ne peux pas l'examiner moi-même, mais il reste avec cette conversation pour l'équipe. De quoi s'agit-il ?",

  unknown:
    "Je ne sais pas. Je n'ai rien trouvé à ce sujet dans nos pages d'aide ni au catalogue, et je préfère ne pas deviner. L'équipe pourra peut-être vous aider : voulez-vous que je vous mette en relation ?",
  notUnderstood: "Désolé, je n'ai pas compris. Pouvez-vous le dire autrement ? Voici ce que je sais faire :",
  notUnderstoodAgain:
    "Désolé, je ne comprends toujours pas. L'équipe comprendra : voulez-vous que je vous mette en relation ?",
  notMentioned: (words) => `Nos pages ne mentionnent pas ${words}. Voici ce qui s'en approche :`,
  quoteIntroduction: "Notre page d'aide indique (en anglais) :",
  everythingFound: (count) =>
    `Voilà pour l'essentiel. Les ${count} sections ci-dessous contiennent tout ce que disent nos pages à ce sujet.`,

  personOffer: "Bien sûr. Je peux vous mettre en relation avec l'équipe.",
  upsetOffer:
    "Je suis désolé que cela se soit si mal passé. Il faut qu'une personne s'en occupe : je peux vous mettre en relation avec l'équipe maintenant.",
  offerStands: "Bien. Utilisez le bouton ci-dessous et l'équipe prendra le relais.",

  productsAll: (count) =>
    count === 1 ? "Voici ce que nous avons :" : `Nous avons ${count} articles qui correspondent :`,
  productsSome: (shown, total) =>
    `Nous avons ${total} articles qui correspondent. En voici ${shown} ; ${total - shown} autres sont en boutique.`,
  productsNone: "Nous n'avons rien de tel au catalogue.",
  productsNoMore: "C'est tout ce que nous avons dans ce genre.",
  productsNearest: "Rien ne correspond à tout cela. Voici ce qui s'en approche :",
  productsChoices: ["Montrez-moi des vélos", "Casques", "Éclairage", "Qu'est-ce qui est en promotion ?"],
  free: "gratuit",
  priceFrom: (price) => `à partir de ${price}`,
  priceWas: (price) => `au lieu de ${price}`,
  priceUnknown: "prix sur devis",
  inStock: "en stock",
  soldOut: "épuisé",
  stockUnknown: "stock à confirmer, je n'en suis pas sûr : demandez d'abord au magasin",
  collectOnly: "retrait en magasin uniquement, sans livraison",
  colours: (list) => `Coloris : ${list}.`,
  colourYes: (colour) => `Oui, il existe en ${colour}.`,
  colourNo: (wanted, list) => `Non, pas en ${wanted}. Coloris disponibles : ${list}.`,
  sizes: (list) => `Tailles : ${list}.`,
  sizeYes: (size) => `Oui, la taille ${size} existe.`,
  sizeNo: (wanted, list) => `Non, la taille ${wanted} n'existe pas. Tailles : ${list}.`,
  onShelfIn: (stores) => `En rayon à ${stores}.`,
  notOnShelfIn: (store) => `Pas en rayon à ${store}.`,
  catalogueQuote: "Le catalogue précise (en anglais) :",
  specLabels: {
    Weight: "Poids",
    Gears: "Vitesses",
    Brakes: "Freins",
    Frame: "Cadre",
    Battery: "Batterie",
    Range: "Autonomie",
    Motor: "Moteur",
    Load: "Charge",
    Vents: "Aérations",
    Sizes: "Tailles",
    Volume: "Volume",
    Material: "Matière",
    "Run time": "Autonomie",
    Warmth: "Chaleur",
    Wheels: "Roues",
    Tyres: "Pneus",
    Output: "Puissance",
    Charging: "Recharge",
    Rider: "Taille du cycliste",
    Length: "Longueur",
    Light: "Éclairage",
    Pressure: "Pression",
  },
  comparison: "Côte à côte :",
  cheapest: (title) => `Le moins cher : ${title}.`,
  lightest: (title) => `Le plus léger : ${title}.`,
  sizeQuestion:
    "Pour quoi cherchez-vous une taille : un vélo, un casque, des gants, une veste ou des chaussettes ?",
  sizeQuestionChoices: [
    "Tailles de vélo",
    "Tailles de casque",
    "Tailles de gants",
    "Tailles de veste",
    "Pointures",
  ],
  colourNames: {
    red: "rouge",
    black: "noir",
    white: "blanc",
    yellow: "jaune",
    silver: "argent",
    slate: "ardoise",
    sand: "sable",
    moss: "vert mousse",
    lake: "bleu lac",
  },

  ordersFound: (count) => (count === 1 ? "La voici :" : `J'ai trouvé ${count} commandes :`),
  ordersMore: (shown, more) => `J'en montre ${shown} ; ${more} autres sont dans votre compte.`,
  orderStatus: (reference, status) => `${reference} : ${status}`,
  orderDue: (due) => `prévu : ${due}`,
  orderNotYours: (reference) =>
    `Je ne peux pas vous montrer ${reference} ainsi. Si c'est votre commande, indiquez son numéro et l'adresse e-mail utilisée.`,
  orderNotFound:
    "Je n'ai pas trouvé de commande avec ce numéro et cette adresse e-mail. Vérifiez les deux : le numéro figure dans l'objet de nos e-mails.",
  orderNotFoundAgain:
    "Je ne trouve toujours pas de commande avec ces données. L'équipe peut chercher plus loin : voulez-vous que je vous mette en relation ?",
  ordersNone:
    "Aucune commande de votre compte ne correspond. Si vous avez commandé sans compte, je peux la retrouver par son numéro et votre adresse e-mail.",
  orderWhich: "De quelle commande parlez-vous ?",
  orderTopic: "Que souhaitez-vous savoir sur votre commande ?",
  orderTopicChoices: [
    "Où est ma commande ?",
    "Modifier une commande",
    "Annuler une commande",
    "Il manque un article",
  ],

  formIntroduction: (purpose) => purpose,
  formCancelled: "Entendu, j'ai retiré le formulaire. Puis-je faire autre chose pour vous ?",
  formSkipped: "Pas de problème. Puis-je faire autre chose pour vous ?",
  returnSaved: "Merci, j'ai tout ce qu'il faut pour votre retour.",
  bookingSaved: (shop, day) => `Merci. Votre réservation est transmise à l'atelier : ${shop}, ${day}.`,
  feedbackSaved: "Merci de votre avis. Il nous aide.",
  fittingSaved: "Merci. L'atelier de Kelderby a vos réponses et vous contactera.",
  handoffSaved: "Merci, l'équipe a tout ce qu'il lui faut. Vous pouvez être mis en relation maintenant.",
  startReturn: "Demander un retour",
  startBooking: "Réserver une révision",

  openingHours: (store, hours) => `${store} : ${hours}.`,
  opens: (day, from, to) => `${day} ${from}–${to}`,
  closedOn: (day) => `${day} fermé`,
  openNow: (store, until) => `${store} est ouvert en ce moment, jusqu'à ${until}.`,
  closedNow: (store, day, from) => `${store} est fermé en ce moment et ouvre ${day} à ${from}.`,
  storeAddress: (store, address) => `${store} : ${address}`,
  storePhone: (phone) => `téléphone ${phone}`,
  storeWithoutPhone: (email) => `sans téléphone, écrivez à ${email}`,
  days: ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
  today: "aujourd'hui",
  tomorrow: "demain",
  rangeOfDays: (from, to) => `du ${from} au ${to}`,

  thinking:
    "J'ai réfléchi. Le mieux est de me poser une question sur les vélos, la livraison, les retours ou une commande.",
  askPreamble: "Voyons ce qu'il me faut savoir pour vous aider à choisir…",
  askQuestion:
    "Où roulerez-vous le plus : sur les chemins, en ville, en longues randonnées, ou avec enfants et courses ?",
  askChoices: ["Chemins", "Ville", "Longues randonnées", "Enfants et courses"],
};
