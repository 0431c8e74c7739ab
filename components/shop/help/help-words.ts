/** The help centre's interface texts, in each language of its pages. */
import type { Locale } from "#lib/shop/locales.ts";

export interface HelpWords {
  centre: string;
  lead: string;
  onThisPage: string;
  atAGlance: string;
  related: string;
  updated: string;
  old: string;
  notAnswered: string;
  ask: string;
  askAbout: (title: string) => string;
  languages: string;
  linkTo: (heading: string) => string;
}

export const helpWords: Record<Locale, HelpWords> = {
  en: {
    centre: "Help centre",
    lead: "Answers about delivery, returns, the workshop and everything else. Or ask Wren in the chat.",
    onThisPage: "On this page",
    atAGlance: "At a glance",
    related: "See also",
    updated: "Last updated on",
    old: "This page has not been updated for more than two years. Please ask us if you need to be sure.",
    notAnswered: "Didn’t find your answer?",
    ask: "Ask Wren",
    askAbout: (title) => `I have a question about ${title.toLowerCase()}`,
    languages: "Other languages",
    linkTo: (heading) => `Link to “${heading}”`,
  },
  de: {
    centre: "Hilfe",
    lead: "Antworten zu Lieferung, Rückgabe, Werkstatt und allem anderen. Oder fragen Sie Wren im Chat.",
    onThisPage: "Auf dieser Seite",
    atAGlance: "Auf einen Blick",
    related: "Siehe auch",
    updated: "Zuletzt aktualisiert am",
    old: "Diese Seite wurde seit mehr als zwei Jahren nicht aktualisiert. Bitte fragen Sie im Zweifel nach.",
    notAnswered: "Ist Ihre Frage noch offen?",
    ask: "Wren fragen",
    askAbout: (title) => `Ich habe eine Frage zum Thema ${title}`,
    languages: "Andere Sprachen",
    linkTo: (heading) => `Link zu „${heading}“`,
  },
  fr: {
    centre: "Centre d’aide",
    lead: "Livraison, retours, atelier et tout le reste. Ou demandez à Wren dans le chat.",
    onThisPage: "Sur cette page",
    atAGlance: "En bref",
    related: "Voir aussi",
    updated: "Dernière mise à jour le",
    old: "Cette page n’a pas été mise à jour depuis plus de deux ans. En cas de doute, demandez-nous.",
    notAnswered: "Vous n’avez pas trouvé la réponse ?",
    ask: "Demander à Wren",
    askAbout: (title) => `J’ai une question sur : ${title}`,
    languages: "Autres langues",
    linkTo: (heading) => `Lien vers « ${heading} »`,
  },
  ar: {
    centre: "مركز المساعدة",
    lead: "إجابات عن التوصيل والإرجاع والورشة وكلّ ما عدا ذلك. أو اسأل رِن في المحادثة.",
    onThisPage: "في هذه الصفحة",
    atAGlance: "باختصار",
    related: "انظر أيضًا",
    updated: "آخر تحديث:",
    old: "لم تتغيّر هذه الصفحة منذ أكثر من سنتين. اسألنا إن كان الأمر مهمًّا.",
    notAnswered: "لم تجد جوابك؟",
    ask: "اسأل رِن",
    askAbout: (title) => `لديّ سؤال عن: ${title}`,
    languages: "لغات أخرى",
    linkTo: (heading) => `رابط إلى «${heading}»`,
  },
  ja: {
    centre: "ヘルプ",
    lead: "配送、返品、整備などについてのご案内です。チャットのWrenにもお尋ねいただけます。",
    onThisPage: "このページの内容",
    atAGlance: "要点",
    related: "関連ページ",
    updated: "最終更新日",
    old: "このページは2年以上更新されていません。念のためお問い合わせください。",
    notAnswered: "解決しませんでしたか？",
    ask: "Wrenに聞く",
    askAbout: (title) => `「${title}」について質問があります`,
    languages: "ほかの言語",
    linkTo: (heading) => `「${heading}」へのリンク`,
  },
};
