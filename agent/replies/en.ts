import type { Phrases } from "./phrases.ts";

export const en: Phrases = {
  hello: (agentName) =>
    `Hello! I'm ${agentName}, the shop's automatic assistant. Ask me about bikes and gear, delivery, returns, the workshop or an order.`,
  helloChoices: ["Where is my order?", "Show me bikes", "How do returns work?", "Book a service"],
  helloFirst: "Hello!",
  thanksFirst: "You're welcome!",
  thanksReply: "You're welcome! Is there anything else I can do for you?",
  goodbyeReply: "Goodbye, and have a good ride!",
  howAreYouReply: "I'm well, thank you: oiled and ready to roll. What can I do for you?",
  whoAreYouReply: (agentName) =>
    `I'm ${agentName}, an automatic assistant, not a person. I answer from the shop's help pages, catalogue and orders. If you would rather talk to a person, just say so.`,
  capabilities:
    "I can find products and compare them, tell you about delivery, returns, payment, sizes, the workshop and our opening hours, look up an order, start a return or a workshop booking, and pass you on to our team.",
  jokeReply:
    "Why can't a bicycle stand up by itself? Because it is two tyred. I am better at questions about bikes and orders, though.",
  insultReply:
    "I'm sorry that I was no help. Tell me what you need in a few words, or say that you want to talk to a person and I will pass you on.",
  praiseReply: "Thank you! Is there anything else I can do for you?",
  laughReply: "Glad to hear it! What can I do for you?",
  yesReply: "Good. What can I do for you?",
  noReply: "All right. Just write if you need anything else.",
  fileReceived:
    "Thank you, I have your file. I cannot look into it myself, but it stays with this chat for our team. What is it about?",

  unknown:
    "I don't know. I found nothing about that in our help pages or in the catalogue, and I would rather not guess. Our team may be able to help: shall I pass you on?",
  notUnderstood:
    "I'm sorry, I did not understand that. Could you put it in other words? These are things that I can help with:",
  notUnderstoodAgain: "I'm sorry, I still do not understand. Our team will: shall I pass you on?",
  notMentioned: (words) => `Our pages do not mention ${words}. What they say that comes nearest:`,
  quoteIntroduction: "",
  everythingFound: (count) =>
    `That is the short version. The ${count} sections below have everything that our pages say about it.`,

  personOffer: "Of course. I can pass you on to our team.",
  upsetOffer: "I'm sorry that it has gone so badly. That needs a person: I can pass you on to our team now.",
  offerStands: "Good. Use the button below, and our team takes over.",

  productsAll: (count) => (count === 1 ? "This is what we have:" : `We have ${count} that match:`),
  productsSome: (shown, total) =>
    `We have ${total} that match. Here are ${shown} of them; ${total - shown} more ${total - shown === 1 ? "is" : "are"} in the shop.`,
  productsNone: "We have nothing like that in the catalogue.",
  productsNoMore: "Those were all that we have of that kind.",
  productsNearest: "Nothing matches all of that. These come nearest:",
  productsChoices: ["Show me bikes", "Helmets", "Lights", "What's on sale?"],
  free: "free",
  priceFrom: (price) => `from ${price}`,
  priceWas: (price) => `was ${price}`,
  priceUnknown: "price on request: it is quoted individually",
  inStock: "in stock",
  soldOut: "sold out",
  stockUnknown: "I'm not sure about stock, so please ask the shop first",
  collectOnly: "click and collect only: it cannot be delivered",
  colours: (list) => `Colours: ${list}.`,
  colourYes: (colour) => `Yes, it comes in ${colour}.`,
  colourNo: (wanted, list) => `No, not in ${wanted}. It comes in ${list}.`,
  sizes: (list) => `Sizes: ${list}.`,
  sizeYes: (size) => `Yes, there is a size ${size}.`,
  sizeNo: (wanted, list) => `No, there is no size ${wanted}. The sizes are ${list}.`,
  onShelfIn: (stores) => `On the shelf in ${stores}.`,
  notOnShelfIn: (store) => `Not on the shelf in ${store}.`,
  catalogueQuote: "",
  specLabels: {},
  comparison: "Side by side:",
  cheapest: (title) => `Cheapest: ${title}.`,
  lightest: (title) => `Lightest: ${title}.`,
  sizeQuestion: "What do you need a size for: a bike, a helmet, gloves, a jacket or socks?",
  sizeQuestionChoices: ["Bike sizes", "Helmet sizes", "Glove sizes", "Jacket sizes", "Sock sizes"],
  colourNames: {
    red: "red",
    black: "black",
    white: "white",
    yellow: "yellow",
    silver: "silver",
    slate: "slate",
    sand: "sand",
    moss: "moss",
    lake: "lake",
  },

  ordersFound: (count) => (count === 1 ? "I found it:" : `I found ${count} orders:`),
  ordersMore: (shown, more) =>
    `I show ${shown} of them; ${more} more ${more === 1 ? "is" : "are"} in your account.`,
  orderStatus: (reference, status) => `${reference}: ${status}`,
  orderDue: (due) => `due ${due}`,
  orderNotYours: (reference) =>
    `I cannot show ${reference} with what I know of you. If it is yours, tell me its reference and the e-mail address that it was ordered with.`,
  orderNotFound:
    "I could not find an order with that reference and e-mail address. Please check both: the reference is in the subject of our e-mails.",
  orderNotFoundAgain:
    "I still could not find an order with those details. Our team can look further: shall I pass you on?",
  ordersNone:
    "There is no order in your account that fits. If you ordered as a guest, I can look it up by its reference and your e-mail address.",
  orderWhich: "Which order do you mean?",
  orderTopic: "What would you like to know about your order?",
  orderTopicChoices: ["Where is my order?", "Change an order", "Cancel an order", "An item is missing"],

  formIntroduction: (purpose) => purpose,
  formCancelled: "All right, I have put the form away. Is there anything else I can do for you?",
  formSkipped: "No problem. Is there anything else I can do for you?",
  returnSaved: "Thank you, I have what I need for your return.",
  bookingSaved: (shop, day) => `Thank you. I have passed your booking on to the workshop: ${shop}, ${day}.`,
  feedbackSaved: "Thank you for telling us. It helps.",
  fittingSaved: "Thank you. The workshop in Kelderby has your answers and will get in touch.",
  handoffSaved: "Thank you, that is all our team needs. You can be passed on now.",
  startReturn: "Start a return",
  startBooking: "Book a service",

  openingHours: (store, hours) => `${store}: ${hours}.`,
  opens: (day, from, to) => `${day} ${from}–${to}`,
  closedOn: (day) => `${day} closed`,
  openNow: (store, until) => `${store} is open now, until ${until}.`,
  closedNow: (store, day, from) => `${store} is closed now. It opens ${day} at ${from}.`,
  storeAddress: (store, address) => `${store}: ${address}`,
  storePhone: (phone) => `telephone ${phone}`,
  storeWithoutPhone: (email) => `no telephone, write to ${email}`,
  days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
  today: "today",
  tomorrow: "tomorrow",
  rangeOfDays: (from, to) => `${from} to ${to}`,

  thinking:
    "I have thought about it. The best answer that I can give is to ask me about bikes, delivery, returns or an order.",
  askPreamble: "Let me see what I need to know to help you choose …",
  askQuestion: "Where will you ride most: gravel, town, long tours, or with children and shopping?",
  askChoices: ["Gravel", "Town", "Long tours", "Children and shopping"],
};
