import type { Phrases } from "./phrases.ts";

export const de: Phrases = {
  hello: (agentName) =>
    `Hallo! Ich bin ${agentName}, die automatische Hilfe des Ladens. Fragen Sie mich zu Rädern und Ausrüstung, Versand, Rückgabe, Werkstatt oder einer Bestellung.`,
  helloChoices: ["Wo ist meine Bestellung?", "Werkstatttermin buchen", "Wie funktioniert die Rückgabe?"],
  thanksReply: "Gern geschehen! Kann ich sonst noch etwas für Sie tun?",
  goodbyeReply: "Auf Wiedersehen und gute Fahrt!",
  unknown:
    "Das weiß ich nicht. In unseren Hilfeseiten und im Katalog habe ich dazu nichts gefunden, und raten möchte ich nicht. Soll ich Sie an unser Team weitergeben?",
  quoteIntroduction: "Unsere Hilfeseite sagt dazu (auf Englisch):",
  productsAll: (count) => (count === 1 ? "Das haben wir:" : `Dazu passen ${count} Artikel:`),
  productsSome: (shown, total) =>
    `Dazu passen ${total} Artikel. Hier sind ${shown} davon; ${total - shown} weitere stehen im Laden.`,
  productsNone: "So etwas haben wir nicht im Katalog.",
};
