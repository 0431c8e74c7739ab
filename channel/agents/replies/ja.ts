import type { Phrases } from "./phrases.ts";

export const ja: Phrases = {
  hello: (agentName) =>
    `こんにちは。当店の自動アシスタント、${agentName}です。自転車や用品、配送、返品、整備、ご注文についてお尋ねください。`,
  helloChoices: ["注文はどこですか?", "整備を予約したい", "返品の方法は?"],
  thanksReply: "どういたしまして。ほかにご用はありますか?",
  goodbyeReply: "ありがとうございました。よい旅を!",
  unknown:
    "申し訳ありませんが、わかりません。ヘルプページにもカタログにも該当する情報がなく、推測でお答えすることは控えます。担当チームにおつなぎしましょうか?",
  quoteIntroduction: "ヘルプページ(英語)には次のようにあります。",
  productsAll: (count) => (count === 1 ? "こちらがございます。" : `該当する商品は${count}点です。`),
  productsSome: (shown, total) =>
    `該当する商品は${total}点あり、そのうち${shown}点をご紹介します。残り${total - shown}点はショップでご覧いただけます。`,
  productsNone: "カタログに該当する商品はありません。",
};
