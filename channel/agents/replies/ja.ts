import type { Phrases } from "./phrases.ts";

export const ja: Phrases = {
  hello: (agentName) =>
    `こんにちは。当店の自動アシスタント、${agentName}です。自転車や用品、配送、返品、整備、ご注文についてお尋ねください。`,
  helloChoices: ["注文はどこですか?", "自転車を見せて", "返品の方法は?", "整備を予約したい"],
  helloFirst: "こんにちは。",
  thanksFirst: "どういたしまして。",
  thanksReply: "どういたしまして。ほかにご用はありますか?",
  goodbyeReply: "ありがとうございました。よい旅を!",
  howAreYouReply: "おかげさまで快調です。どのようなご用件でしょうか?",
  whoAreYouReply: (agentName) =>
    `${agentName}と申します。人間ではなく自動アシスタントで、ヘルプページ、カタログ、ご注文の情報からお答えします。担当者と話したい場合はそうお伝えください。`,
  capabilities:
    "商品の検索と比較、配送・返品・支払い・サイズ・整備・営業時間のご案内、ご注文の確認、返品や整備の受付、担当チームへの取り次ぎができます。",
  jokeReply: "冗談は苦手で、すぐに空気が抜けてしまいます。自転車とご注文のことなら、もっとお役に立てます。",
  insultReply:
    "お役に立てず申し訳ありません。ご用件を短い言葉でお聞かせください。担当者と話したい場合は、そうお伝えいただければおつなぎします。",
  praiseReply: "ありがとうございます。ほかにご用はありますか?",
  laughReply: "何よりです。どのようなご用件でしょうか?",
  yesReply: "かしこまりました。どのようなご用件でしょうか?",
  noReply: "承知しました。ご用があればいつでもお書きください。",
  fileReceived:
    "ファイルを受け取りました。私は中を確認できませんが、担当チームのためにこのチャットに保存されます。どのようなご用件でしょうか?",

  unknown:
    "申し訳ありませんが、わかりません。ヘルプページにもカタログにも該当する情報がなく、推測でお答えすることは控えます。担当チームならお役に立てるかもしれません。おつなぎしましょうか?",
  notUnderstood:
    "申し訳ありません、理解できませんでした。別の言い方でお願いできますか? 次のようなことをお手伝いできます。",
  notUnderstoodAgain: "申し訳ありません、まだ理解できません。担当チームにおつなぎしましょうか?",
  notMentioned: (words) => `${words}についての記載はありません。最も近い内容は次のとおりです。`,
  quoteIntroduction: "ヘルプページ(英語)には次のようにあります。",
  everythingFound: (count) => `以上が要点です。下の${count}項目に、この件についての記載がすべてあります。`,

  personOffer: "承知しました。担当チームにおつなぎできます。",
  upsetOffer:
    "ご不快な思いをおかけして申し訳ありません。担当者が対応すべきことですので、今すぐチームにおつなぎできます。",
  offerStands: "承知しました。下のボタンを押していただくと、担当チームに引き継ぎます。",

  productsAll: (count) => (count === 1 ? "こちらがございます。" : `該当する商品は${count}点です。`),
  productsSome: (shown, total) =>
    `該当する商品は${total}点あり、そのうち${shown}点をご紹介します。残り${total - shown}点はショップでご覧いただけます。`,
  productsNone: "カタログに該当する商品はありません。",
  productsNoMore: "この種類の商品は以上です。",
  productsNearest: "すべての条件に合う商品はありません。最も近いのはこちらです。",
  productsChoices: ["自転車を見せて", "ヘルメット", "ライト", "セール品は?"],
  free: "無料",
  priceFrom: (price) => `${price}から`,
  priceWas: (price) => `元の価格${price}`,
  priceUnknown: "価格はお見積り",
  inStock: "在庫あり",
  soldOut: "売り切れ",
  stockUnknown: "在庫は不明のため、先に店舗へご確認ください",
  collectOnly: "店頭受け取りのみ(配送不可)",
  colours: (list) => `色: ${list}。`,
  colourYes: (colour) => `はい、${colour}がございます。`,
  colourNo: (wanted, list) => `いいえ、${wanted}はございません。色は${list}です。`,
  sizes: (list) => `サイズ: ${list}。`,
  sizeYes: (size) => `はい、${size}サイズがございます。`,
  sizeNo: (wanted, list) => `いいえ、${wanted}サイズはございません。サイズは${list}です。`,
  onShelfIn: (stores) => `店頭在庫: ${stores}。`,
  notOnShelfIn: (store) => `${store}の店頭にはございません。`,
  weight: "重量",
  comparison: "比較:",
  cheapest: (title) => `最も安いもの: ${title}。`,
  lightest: (title) => `最も軽いもの: ${title}。`,
  sizeQuestion: "何のサイズでしょうか? 自転車、ヘルメット、グローブ、ジャケット、靴下のどれですか?",
  sizeQuestionChoices: [
    "自転車のサイズ",
    "ヘルメットのサイズ",
    "グローブのサイズ",
    "ジャケットのサイズ",
    "靴下のサイズ",
  ],
  colourNames: {
    red: "赤",
    black: "黒",
    white: "白",
    yellow: "黄",
    silver: "銀",
    slate: "スレートグレー",
    sand: "サンド",
    moss: "モスグリーン",
    lake: "レイクブルー",
  },

  ordersFound: (count) => (count === 1 ? "見つかりました。" : `${count}件のご注文が見つかりました。`),
  ordersMore: (shown, more) =>
    `そのうち${shown}件を表示しています。残り${more}件はアカウントでご覧いただけます。`,
  orderStatus: (reference, status) => `${reference}: ${status}`,
  orderDue: (due) => `予定: ${due}`,
  orderNotYours: (reference) =>
    `${reference}はこのままではお見せできません。お客様のご注文でしたら、注文番号とご注文時のメールアドレスをお知らせください。`,
  orderNotFound:
    "その注文番号とメールアドレスのご注文は見つかりませんでした。両方をご確認ください。番号は当店からのメールの件名にあります。",
  orderNotFoundAgain: "その内容でもご注文が見つかりません。担当チームがお調べできます。おつなぎしましょうか?",
  ordersNone:
    "アカウントに該当するご注文はありません。ゲストとしてご注文された場合は、注文番号とメールアドレスでお調べできます。",
  orderWhich: "どのご注文でしょうか?",
  orderTopic: "ご注文の何についてお知りになりたいですか?",
  orderTopicChoices: [
    "注文はどこですか?",
    "注文を変更したい",
    "注文をキャンセルしたい",
    "商品が入っていない",
  ],

  formIntroduction: (purpose) => purpose,
  formCancelled: "承知しました。フォームを閉じました。ほかにご用はありますか?",
  formSkipped: "問題ありません。ほかにご用はありますか?",
  returnSaved: "ありがとうございます。返品に必要な内容を受け付けました。",
  bookingSaved: (shop, day) => `ありがとうございます。ご予約を整備担当に伝えました: ${shop}、${day}。`,
  feedbackSaved: "ご意見ありがとうございます。参考にいたします。",
  fittingSaved: "ありがとうございます。ケルダビーの工房が回答を受け取りました。追ってご連絡します。",
  handoffSaved: "ありがとうございます。必要な情報がそろいました。これで担当チームにおつなぎできます。",
  startReturn: "返品を申し込む",
  startBooking: "整備を予約する",

  openingHours: (store, hours) => `${store}: ${hours}。`,
  opens: (day, from, to) => `${day} ${from}〜${to}`,
  closedOn: (day) => `${day} 休み`,
  openNow: (store, until) => `${store}は現在営業中です(${until}まで)。`,
  closedNow: (store, day, from) => `${store}は現在閉店しています。${day}${from}に開きます。`,
  storeAddress: (store, address) => `${store}: ${address}`,
  storePhone: (phone) => `電話 ${phone}`,
  storeWithoutPhone: (email) => `電話なし、メール ${email}`,
  days: ["月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日", "日曜日"],
  today: "今日",
  tomorrow: "明日",
  rangeOfDays: (from, to) => `${from}〜${to}`,

  thinking: "考えてみました。自転車、配送、返品、ご注文についてお尋ねいただくのが一番です。",
  askPreamble: "お選びいただくために、何を伺えばよいか考えています…",
  askQuestion: "主にどこを走りますか? 未舗装路、街、長い旅、それともお子様や買い物を乗せてでしょうか?",
  askChoices: ["未舗装路", "街", "長い旅", "子どもと買い物"],
};
