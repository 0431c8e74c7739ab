/**
 * System messages about the team, in the customer's language. They are plain text without times: the client
 * shows the times of `Chat.handoff` in the customer's time zone.
 */

export type Notice =
  /** The request has reached the team. `Chat.handoff` says when and how the team replies. */
  | { kind: "waiting" }
  | { kind: "joined"; name: string }
  /** `name` is null when no teammate had joined. */
  | { kind: "returned"; name: string | null }
  | { kind: "resolved" }
  | { kind: "failed" }
  | { kind: "details_received" };

interface Wording {
  waiting: string;
  joined(name: string): string;
  left(name: string): string;
  returned: string;
  resolved: string;
  failed: string;
  detailsReceived: string;
}

const english: Wording = {
  waiting: "Your chat has been passed to our team.",
  joined: (name) => `${name} has joined the chat.`,
  left: (name) => `${name} has left the chat. The automatic assistant answers again.`,
  returned: "The team has passed the chat back. The automatic assistant answers again.",
  resolved: "The team has closed this chat. Start a new one whenever you need us.",
  failed:
    "Your request did not reach our team. The automatic assistant answers again, and you can ask for a person once more.",
  detailsReceived: "Your details have been passed to the team.",
};

const wordings: ReadonlyMap<string, Wording> = new Map(
  Object.entries({
    en: english,
    de: {
      waiting: "Ihr Chat wurde an unser Team übergeben.",
      joined: (name) => `${name} ist dem Chat beigetreten.`,
      left: (name) => `${name} hat den Chat verlassen. Der automatische Assistent antwortet wieder.`,
      returned: "Das Team hat den Chat zurückgegeben. Der automatische Assistent antwortet wieder.",
      resolved: "Das Team hat diesen Chat beendet. Sie können jederzeit einen neuen beginnen.",
      failed:
        "Ihre Anfrage hat unser Team nicht erreicht. Der automatische Assistent antwortet wieder, und Sie können das Team noch einmal anfragen.",
      detailsReceived: "Ihre Angaben wurden an das Team weitergegeben.",
    },
    fr: {
      waiting: "Votre conversation a été transmise à notre équipe.",
      joined: (name) => `${name} a rejoint la conversation.`,
      left: (name) => `${name} a quitté la conversation. L’assistant automatique répond de nouveau.`,
      returned: "L’équipe a quitté la conversation. L’assistant automatique répond de nouveau.",
      resolved: "L’équipe a clos cette conversation. Ouvrez-en une autre quand vous voulez.",
      failed:
        "Votre demande n’est pas parvenue à notre équipe. L’assistant automatique répond de nouveau, et vous pouvez redemander à parler à quelqu’un.",
      detailsReceived: "Vos informations ont été transmises à l’équipe.",
    },
    ar: {
      waiting: "أُحيلت محادثتك إلى فريقنا.",
      joined: (name) => `انضم ${name} إلى المحادثة.`,
      left: (name) => `غادر ${name} المحادثة. يعود المساعد الآلي إلى الرد.`,
      returned: "أعاد الفريق المحادثة. يعود المساعد الآلي إلى الرد.",
      resolved: "أغلق الفريق هذه المحادثة. ابدأ محادثة جديدة متى احتجت إلينا.",
      failed: "لم يصل طلبك إلى فريقنا. يعود المساعد الآلي إلى الرد، ويمكنك أن تطلب شخصًا مرة أخرى.",
      detailsReceived: "أُرسلت بياناتك إلى الفريق.",
    },
    ja: {
      waiting: "チャットを担当チームに引き継ぎました。",
      joined: (name) => `${name}がチャットに参加しました。`,
      left: (name) => `${name}がチャットを退出しました。自動アシスタントが対応します。`,
      returned: "担当チームの対応が終わりました。自動アシスタントが対応します。",
      resolved: "チームがこのチャットを終了しました。ご用の際は新しいチャットを始めてください。",
      failed:
        "チームへの引き継ぎができませんでした。自動アシスタントが対応します。担当者をもう一度お呼びいただくこともできます。",
      detailsReceived: "ご入力の内容をチームに伝えました。",
    },
  } satisfies Record<string, Wording>),
);

/** `locale` is any BCP 47 tag; other languages get English. */
export function noticeText(notice: Notice, locale: string): string {
  const wording = wordingOf(locale);
  switch (notice.kind) {
    case "waiting":
      return wording.waiting;
    case "joined":
      return wording.joined(notice.name);
    case "returned":
      return notice.name === null ? wording.returned : wording.left(notice.name);
    case "resolved":
      return wording.resolved;
    case "failed":
      return wording.failed;
    case "details_received":
      return wording.detailsReceived;
    default:
      return notice satisfies never;
  }
}

function wordingOf(locale: string): Wording {
  return wordings.get(locale.split("-", 1)[0]?.toLowerCase() ?? "") ?? english;
}
