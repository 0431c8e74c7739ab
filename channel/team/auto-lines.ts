/**
 * The automatic teammate's lines in the shop's languages: two at the beginning, then one per customer
 * message.
 */

type Lines = (name: string) => readonly string[];

const english: Lines = (name) => [
  `Hello, this is ${name}. I am reading what you wrote.`,
  "Thank you for waiting. Is there anything you would like to add?",
  "I see. Let me look that up for you.",
  "I have passed it on to the colleague who knows best, and made a note in your chat.",
  "That is all I need. You will hear from us soon. I am an automatic teammate of this demonstration, so I leave it at that.",
];

const languages: ReadonlyMap<string, Lines> = new Map(
  Object.entries({
    en: english,
    de: (name) => [
      `Hallo, hier ist ${name}. Ich lese gerade, was Sie geschrieben haben.`,
      "Danke fürs Warten. Möchten Sie noch etwas ergänzen?",
      "Verstehe. Ich sehe gleich für Sie nach.",
      "Ich habe es an die Kollegin weitergegeben, die sich damit am besten auskennt, und in Ihrem Chat vermerkt.",
      "Mehr brauche ich nicht. Sie hören bald von uns. Ich bin ein automatischer Kollege dieser Vorführung, dabei belasse ich es.",
    ],
    fr: (name) => [
      `Bonjour, ici ${name}. Je lis ce que vous avez écrit.`,
      "Merci d'avoir patienté. Souhaitez-vous ajouter quelque chose ?",
      "Je vois. Je regarde cela pour vous.",
      "Je l'ai transmis à la personne qui s'y connaît le mieux et noté dans votre conversation.",
      "C'est tout ce qu'il me faut. Vous aurez bientôt de nos nouvelles. Je suis un équipier automatique de cette démonstration, j'en reste là.",
    ],
    ar: (name) => [
      `مرحبًا، معك ${name}. أقرأ الآن ما كتبته.`,
      "شكرًا على انتظارك. هل تود إضافة شيء؟",
      "فهمت. سأبحث عن ذلك من أجلك.",
      "نقلت الأمر إلى الزميل الأعلم به ودوّنته في محادثتك.",
      "هذا كل ما أحتاجه. ستسمع منا قريبًا. أنا زميل آلي في هذا العرض، وأكتفي بهذا.",
    ],
    ja: (name) => [
      `こんにちは、${name}です。いただいた内容を拝見しています。`,
      "お待たせしました。ほかにお知らせいただくことはありますか?",
      "承知しました。お調べします。",
      "詳しい担当者に伝え、チャットに記録しました。",
      "以上で結構です。追ってご連絡します。わたしはこのデモの自動担当なので、ここまでとします。",
    ],
  } satisfies Record<string, Lines>),
);

export function autoLines(locale: string, name: string): readonly string[] {
  const lines = languages.get(locale.split("-", 1)[0]?.toLowerCase() ?? "") ?? english;
  return lines(name);
}
