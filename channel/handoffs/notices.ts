/**
 * System messages about the team, in the customer's language. They are plain text without times: the client
 * shows the times of `Chat.handoff` in the customer's time zone.
 */

/** One text for each event; `{name}` is the teammate's. */
interface Notices {
  /** The request has reached the team. `Chat.handoff` says when and how the team replies. */
  waiting: string;
  joined: string;
  left: string;
  /** The agent answers again, and no teammate had joined. */
  returned: string;
  resolved: string;
  failed: string;
  detailsReceived: string;
}
export type Notice = keyof Notices;

const english: Notices = {
  waiting: "Your chat has been passed to our team.",
  joined: "{name} has joined the chat.",
  left: "{name} has left the chat. The automatic assistant answers again.",
  returned: "The team has passed the chat back. The automatic assistant answers again.",
  resolved: "The team has closed this chat. Start a new one whenever you need us.",
  failed:
    "Your request did not reach our team. The automatic assistant answers again, and you can ask for a person once more.",
  detailsReceived: "Your details have been passed to the team.",
};

const languages: ReadonlyMap<string, Notices> = new Map(
  Object.entries({
    en: english,
    de: {
      waiting: "Ihr Chat wurde an unser Team übergeben.",
      joined: "{name} ist dem Chat beigetreten.",
      left: "{name} hat den Chat verlassen. Der automatische Assistent antwortet wieder.",
      returned: "Das Team hat den Chat zurückgegeben. Der automatische Assistent antwortet wieder.",
      resolved: "Das Team hat diesen Chat beendet. Sie können jederzeit einen neuen beginnen.",
      failed:
        "Ihre Anfrage hat unser Team nicht erreicht. Der automatische Assistent antwortet wieder, und Sie können das Team noch einmal anfragen.",
      detailsReceived: "Ihre Angaben wurden an das Team weitergegeben.",
    },
    fr: {
      waiting: "Votre conversation a été transmise à notre équipe.",
      joined: "{name} a rejoint la conversation.",
      left: "{name} a quitté la conversation. L’assistant automatique répond de nouveau.",
      returned: "L’équipe a quitté la conversation. L’assistant automatique répond de nouveau.",
      resolved: "L’équipe a clos cette conversation. Ouvrez-en une autre quand vous voulez.",
      failed:
        "Votre demande n’est pas parvenue à notre équipe. L’assistant automatique répond de nouveau, et vous pouvez redemander à parler à quelqu’un.",
      detailsReceived: "Vos informations ont été transmises à l’équipe.",
    },
    ar: {
      waiting: "أُحيلت محادثتك إلى فريقنا.",
      joined: "انضم {name} إلى المحادثة.",
      left: "غادر {name} المحادثة. يعود المساعد الآلي إلى الرد.",
      returned: "أعاد الفريق المحادثة. يعود المساعد الآلي إلى الرد.",
      resolved: "أغلق الفريق هذه المحادثة. ابدأ محادثة جديدة متى احتجت إلينا.",
      failed: "لم يصل طلبك إلى فريقنا. يعود المساعد الآلي إلى الرد، ويمكنك أن تطلب شخصًا مرة أخرى.",
      detailsReceived: "أُرسلت بياناتك إلى الفريق.",
    },
    ja: {
      waiting: "チャットを担当チームに引き継ぎました。",
      joined: "{name}がチャットに参加しました。",
      left: "{name}がチャットを退出しました。自動アシスタントが対応します。",
      returned: "担当チームの対応が終わりました。自動アシスタントが対応します。",
      resolved: "チームがこのチャットを終了しました。ご用の際は新しいチャットを始めてください。",
      failed:
        "チームへの引き継ぎができませんでした。自動アシスタントが対応します。担当者をもう一度お呼びいただくこともできます。",
      detailsReceived: "ご入力の内容をチームに伝えました。",
    },
  } satisfies Record<string, Notices>),
);

const rightToLeft = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const leftToRightMark = "\u200E";

/** `locale` is any BCP 47 tag; other languages get English. */
export function noticeText(notice: Notice, locale: string, name = ""): string {
  const language = locale.split("-", 1)[0]?.toLowerCase() ?? "";
  const template = (languages.get(language) ?? english)[notice];
  const text = template.replace("{name}", () => name);
  // Clients take a text's direction from its first letter, which would be that of an Arabic name.
  return template.startsWith("{name}") && rightToLeft.test(name) ? leftToRightMark + text : text;
}
