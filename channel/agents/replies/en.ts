import type { Phrases } from "./phrases.ts";

export const en: Phrases = {
  hello: (agentName) =>
    `Hello! I'm ${agentName}, the shop's automatic assistant. Ask me about bikes and gear, delivery, returns, the workshop or an order.`,
  helloChoices: ["Where is my order?", "Book a service", "How do returns work?"],
  thanksReply: "You're welcome! Is there anything else I can do for you?",
  goodbyeReply: "Goodbye, and have a good ride!",
  unknown:
    "I don't know. I found nothing about that in our help pages or in the catalogue, and I would rather not guess. Shall I pass you on to our team?",
  quoteIntroduction: "",
  productsAll: (count) => (count === 1 ? "This is what we have:" : `We have ${count} that match:`),
  productsSome: (shown, total) =>
    `We have ${total} that match. Here are ${shown} of them; ${total - shown} more are in the shop.`,
  productsNone: "We have nothing like that in the catalogue.",
};
