import type { Phrases } from "./phrases.ts";

export const ar: Phrases = {
  hello: (agentName) =>
    `أهلًا! أنا ${agentName}، المساعد الآلي للمتجر. اسألني عن الدرّاجات والمعدّات أو التوصيل أو الإرجاع أو الورشة أو طلبك.`,
  helloChoices: ["أين طلبي؟", "حجز صيانة", "كيف يتمّ الإرجاع؟"],
  thanksReply: "على الرحب والسعة! هل من شيء آخر أساعدك فيه؟",
  goodbyeReply: "مع السلامة ورحلة موفّقة!",
  unknown:
    "لا أعرف. لم أجد شيئًا عن ذلك في صفحات المساعدة ولا في الكتالوج، ولا أريد أن أخمّن. هل أحوّلك إلى فريقنا؟",
  quoteIntroduction: "تقول صفحة المساعدة (بالإنجليزية):",
  productsAll: (count) => (count === 1 ? "هذا ما لدينا:" : `عدد المنتجات المطابقة: ${count}`),
  productsSome: (shown, total) =>
    `عدد المنتجات المطابقة ${total}. إليك ${shown} منها، والباقي (${total - shown}) في المتجر.`,
  productsNone: "ليس لدينا شيء كهذا في الكتالوج.",
};
