import type { Phrases } from "./phrases.ts";

export const de: Phrases = {
  hello: (agentName) =>
    `Hallo! Ich bin ${agentName}, die automatische Hilfe des Ladens. Fragen Sie mich zu Rädern und Ausrüstung, Lieferung, Rückgabe, Werkstatt oder einer Bestellung.`,
  helloChoices: [
    "Wo ist meine Bestellung?",
    "Zeig mir Fahrräder",
    "Wie funktioniert die Rückgabe?",
    "Werkstatttermin buchen",
  ],
  helloFirst: "Hallo!",
  thanksFirst: "Gern geschehen!",
  thanksReply: "Gern geschehen! Kann ich sonst noch etwas für Sie tun?",
  goodbyeReply: "Auf Wiedersehen und gute Fahrt!",
  howAreYouReply: "Danke, gut: geölt und startklar. Was kann ich für Sie tun?",
  whoAreYouReply: (agentName) =>
    `Ich bin ${agentName}, eine automatische Hilfe und kein Mensch. Ich antworte aus den Hilfeseiten, dem Katalog und den Bestellungen des Ladens. Wenn Sie lieber mit einem Menschen sprechen, sagen Sie es einfach.`,
  capabilities:
    "Ich kann Produkte finden und vergleichen, Fragen zu Lieferung, Rückgabe, Zahlung, Größen, Werkstatt und Öffnungszeiten beantworten, eine Bestellung nachsehen, eine Rücksendung oder einen Werkstatttermin anlegen und Sie an unser Team weitergeben.",
  jokeReply:
    "Witze kann ich nicht so gut: Bei mir ist da meistens die Luft raus. Besser bin ich bei Fragen zu Rädern und Bestellungen.",
  insultReply:
    "Es tut mir leid, dass ich keine Hilfe war. Sagen Sie mir in wenigen Worten, was Sie brauchen, oder dass Sie mit einem Menschen sprechen möchten; dann gebe ich Sie weiter.",
  praiseReply: "Vielen Dank! Kann ich sonst noch etwas für Sie tun?",
  laughReply: "Das freut mich! Was kann ich für Sie tun?",
  yesReply: "Gut. Was kann ich für Sie tun?",
  noReply: "In Ordnung. Schreiben Sie einfach, wenn Sie noch etwas brauchen.",
  fileReceived:
    "Danke, Ihre Datei ist da. Ich kann nicht hineinsehen, aber sie bleibt für unser Team bei diesem Chat. Worum geht es?",

  unknown:
    "Das weiß ich nicht. In unseren Hilfeseiten und im Katalog habe ich dazu nichts gefunden, und raten möchte ich nicht. Vielleicht kann unser Team helfen: Soll ich Sie weitergeben?",
  notUnderstood:
    "Entschuldigung, das habe ich nicht verstanden. Können Sie es anders sagen? Dabei kann ich helfen:",
  notUnderstoodAgain:
    "Entschuldigung, ich verstehe es noch immer nicht. Unser Team wird es verstehen: Soll ich Sie weitergeben?",
  notMentioned: (words) => `Unsere Seiten erwähnen ${words} nicht. Am nächsten kommt dem:`,
  quoteIntroduction: "Unsere Hilfeseite sagt dazu (auf Englisch):",
  everythingFound: (count) =>
    `Das ist die Kurzfassung. In den ${count} Abschnitten unten steht alles, was unsere Seiten dazu sagen.`,

  personOffer: "Gern. Ich kann Sie an unser Team weitergeben.",
  upsetOffer:
    "Es tut mir leid, dass es so schlecht gelaufen ist. Darum soll sich ein Mensch kümmern: Ich kann Sie jetzt an unser Team weitergeben.",
  offerStands: "Gut. Nutzen Sie den Knopf unten, dann übernimmt unser Team.",

  productsAll: (count) => (count === 1 ? "Das haben wir:" : `Dazu passen ${count} Artikel:`),
  productsSome: (shown, total) =>
    `Dazu passen ${total} Artikel. Hier sind ${shown} davon; ${total - shown} weitere stehen im Laden.`,
  productsNone: "So etwas haben wir nicht im Katalog.",
  productsNoMore: "Das waren alle, die wir in dieser Art haben.",
  productsNearest: "Alles zusammen trifft auf nichts zu. Am nächsten kommt:",
  productsChoices: ["Zeig mir Fahrräder", "Helme", "Lampen", "Was ist im Angebot?"],
  free: "kostenlos",
  priceFrom: (price) => `ab ${price}`,
  priceWas: (price) => `vorher ${price}`,
  priceUnknown: "Preis auf Anfrage, er wird im Einzelfall veranschlagt",
  inStock: "vorrätig",
  soldOut: "ausverkauft",
  stockUnknown: "beim Bestand bin ich nicht sicher, bitte fragen Sie vorher im Laden",
  collectOnly: "nur zur Abholung im Laden, keine Lieferung",
  colours: (list) => `Farben: ${list}.`,
  colourYes: (colour) => `Ja, es gibt die Farbe ${colour}.`,
  colourNo: (wanted, list) => `Nein, nicht in der Farbe ${wanted}. Es gibt ${list}.`,
  sizes: (list) => `Größen: ${list}.`,
  sizeYes: (size) => `Ja, es gibt die Größe ${size}.`,
  sizeNo: (wanted, list) => `Nein, die Größe ${wanted} gibt es nicht. Es gibt ${list}.`,
  onShelfIn: (stores) => `Im Regal in ${stores}.`,
  notOnShelfIn: (store) => `In ${store} nicht im Regal.`,
  catalogueQuote: "Im Katalog steht dazu (auf Englisch):",
  specLabels: {
    Weight: "Gewicht",
    Gears: "Schaltung",
    Brakes: "Bremsen",
    Frame: "Rahmen",
    Battery: "Akku",
    Range: "Reichweite",
    Motor: "Motor",
    Load: "Zuladung",
    Vents: "Belüftung",
    Sizes: "Größen",
    Volume: "Volumen",
    Material: "Material",
    "Run time": "Leuchtdauer",
    Warmth: "Wärme",
    Wheels: "Laufräder",
    Tyres: "Reifen",
    Output: "Helligkeit",
    Charging: "Laden",
    Rider: "Körpergröße",
    Length: "Länge",
    Light: "Licht",
    Pressure: "Druck",
  },
  comparison: "Im Vergleich:",
  cheapest: (title) => `Am günstigsten: ${title}.`,
  lightest: (title) => `Am leichtesten: ${title}.`,
  sizeQuestion: "Wofür brauchen Sie eine Größe: ein Rad, einen Helm, Handschuhe, eine Jacke oder Socken?",
  sizeQuestionChoices: ["Rahmengrößen", "Helmgrößen", "Handschuhgrößen", "Jackengrößen", "Sockengrößen"],
  colourNames: {
    red: "Rot",
    black: "Schwarz",
    white: "Weiß",
    yellow: "Gelb",
    silver: "Silber",
    slate: "Schiefergrau",
    sand: "Sand",
    moss: "Moosgrün",
    lake: "Seeblau",
  },

  ordersFound: (count) =>
    count === 1 ? "Ich habe sie gefunden:" : `Ich habe ${count} Bestellungen gefunden:`,
  ordersMore: (shown, more) => `Ich zeige ${shown} davon; ${more} weitere stehen in Ihrem Konto.`,
  orderStatus: (reference, status) => `${reference}: ${status}`,
  orderDue: (due) => `Termin: ${due}`,
  orderNotYours: (reference) =>
    `${reference} kann ich Ihnen so nicht zeigen. Wenn es Ihre Bestellung ist, nennen Sie mir die Nummer und die E-Mail-Adresse, mit der bestellt wurde.`,
  orderNotFound:
    "Mit dieser Nummer und E-Mail-Adresse habe ich keine Bestellung gefunden. Bitte prüfen Sie beides: Die Nummer steht im Betreff unserer E-Mails.",
  orderNotFoundAgain:
    "Auch mit diesen Angaben finde ich keine Bestellung. Unser Team kann weiter suchen: Soll ich Sie weitergeben?",
  ordersNone:
    "In Ihrem Konto gibt es keine passende Bestellung. Wenn Sie als Gast bestellt haben, finde ich sie mit Nummer und E-Mail-Adresse.",
  orderWhich: "Welche Bestellung meinen Sie?",
  orderTopic: "Was möchten Sie zu Ihrer Bestellung wissen?",
  orderTopicChoices: [
    "Wo ist meine Bestellung?",
    "Bestellung ändern",
    "Bestellung stornieren",
    "Ein Artikel fehlt",
  ],

  formIntroduction: (purpose) => purpose,
  formCancelled: "In Ordnung, das Formular ist weg. Kann ich sonst noch etwas für Sie tun?",
  formSkipped: "Kein Problem. Kann ich sonst noch etwas für Sie tun?",
  returnSaved: "Danke, für Ihre Rücksendung habe ich alles.",
  bookingSaved: (shop, day) => `Danke. Ihre Anmeldung ist bei der Werkstatt: ${shop}, ${day}.`,
  feedbackSaved: "Danke für die Rückmeldung. Das hilft uns.",
  fittingSaved: "Danke. Die Werkstatt in Kelderby hat Ihre Antworten und meldet sich.",
  handoffSaved: "Danke, mehr braucht unser Team nicht. Sie können jetzt weitergegeben werden.",
  startReturn: "Rücksendung anmelden",
  startBooking: "Werkstatttermin buchen",

  openingHours: (store, hours) => `${store}: ${hours}.`,
  opens: (day, from, to) => `${day} ${from}–${to} Uhr`,
  closedOn: (day) => `${day} geschlossen`,
  openNow: (store, until) => `${store} hat jetzt geöffnet, bis ${until} Uhr.`,
  closedNow: (store, day, from) => `${store} hat gerade geschlossen und öffnet ${day} um ${from} Uhr.`,
  storeAddress: (store, address) => `${store}: ${address}`,
  storePhone: (phone) => `Telefon ${phone}`,
  storeWithoutPhone: (email) => `ohne Telefon, schreiben Sie an ${email}`,
  days: ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
  today: "heute",
  tomorrow: "morgen",
  rangeOfDays: (from, to) => `${from} bis ${to}`,

  thinking:
    "Ich habe nachgedacht. Am besten fragen Sie mich nach Rädern, Lieferung, Rückgabe oder einer Bestellung.",
  askPreamble: "Mal sehen, was ich wissen muss, um Ihnen bei der Wahl zu helfen …",
  askQuestion:
    "Wo fahren Sie am meisten: auf Schotter, in der Stadt, auf langen Touren oder mit Kindern und Einkauf?",
  askChoices: ["Schotter", "Stadt", "Lange Touren", "Kinder und Einkauf"],
};
