/** Lines to say in the chat and their results, by feature of the Chat API. Shown at `/try`. */

export interface TryLine {
  say: string;
  see: string;
}

export interface TryGroup {
  id: string;
  title: string;
  /** The feature that the lines demonstrate. */
  about: string;
  lines: readonly TryLine[];
}

export const tryGroups: readonly TryGroup[] = [
  {
    id: "answers",
    title: "Answers with their sources",
    about: "The reply streams word by word and names the help pages that it came from.",
    lines: [
      { say: "Do you deliver to Ireland?", see: "A short answer with a link to the very section" },
      { say: "Tell me about returns", see: "Three sources below the answer" },
      { say: "Everything about returns", see: "Twenty sources, which is the most a message can carry" },
      { say: "Is there a free check in winter?", see: "A source without an address: a poster in the shop" },
      {
        say: "How does cycle to work function?",
        see: "A source that has not changed for years, and says so",
      },
      { say: "What is the capital of Mongolia?", see: "An honest “I don’t know”, and the offer of a person" },
    ],
  },
  {
    id: "products",
    title: "Products",
    about: "Cards with picture, price and stock; three at most, and the reply says how many more there are.",
    lines: [
      { say: "Which helmets do you have?", see: "Three cards: in stock, sold out, and unknown" },
      { say: "Gravel bikes", see: "A price from, and what it was before the sale" },
      { say: "Bikes and parts", see: "Three of nine" },
      { say: "Is the Mule in stock?", see: "A bike that can only be collected" },
      { say: "Show me gloves", see: "Two products with the same name" },
      { say: "Lights", see: "A price in yen, which has no decimals, beside one in pounds" },
      { say: "Do you have a multitool?", see: "A price in Kuwaiti dinar, which has three" },
      { say: "Show me bikepacking bags", see: "Among them a very long name with quotes, a tag and emoji" },
      { say: "A waterproof bag for my handlebar", see: "Among them a name in Arabic between English words" },
      { say: "Do you have an enamel mug?", see: "A card whose picture cannot be loaded" },
      { say: "I want to buy a gift card", see: "A product without a picture and without a brand" },
      { say: "I would like some free stickers", see: "A price of nothing" },
      { say: "I need a jacket", see: "One name twice: sold out in pounds, in stock in euro" },
    ],
  },
  {
    id: "talk",
    title: "Conversation",
    about: "The chat remembers what was said, and asks when a question is not clear.",
    lines: [
      { say: "Do you have a red bike?", see: "Cards. Then say “the cheaper one”, or “and in sand?”" },
      { say: "Do you sell canoes?", see: "Replies to pick from, where there is nothing to show" },
      {
        say: "Do you deliver to Germany, and how long do I have to return something?",
        see: "Two questions answered in one reply",
      },
      {
        say: "Wie lange habe ich Zeit für eine Rückgabe?",
        see: "The answer in German, from the German page",
      },
      { say: "Livrez-vous en Belgique ?", see: "The answer in French" },
      { say: "هل توصلون إلى الكويت؟", see: "The answer in Arabic, from right to left" },
      { say: "日本に送れますか?", see: "The answer in Japanese" },
    ],
  },
  {
    id: "orders",
    title: "Orders and repairs",
    about: "Sign in under “Your account” and Wren knows your orders; otherwise it asks with a form.",
    lines: [
      {
        say: "Where is my order?",
        see: "A form for reference and e-mail, or your orders when you are signed in",
      },
      {
        say: "Where is my order TT-100482?",
        see: "Items that have arrived, that have not, and that nobody knows of (maya.okafor@example.com)",
      },
      {
        say: "How is my repair W-2231?",
        see: "A workshop job that waits for parts (maya.okafor@example.com)",
      },
      {
        say: "Can I collect C-7710?",
        see: "An order in a shop without a telephone (lukas.brandt@example.com)",
      },
      {
        say: "Show me all my orders",
        see: "Signed in as 森 健司: ten of twelve, which is the most a message can carry",
      },
    ],
  },
  {
    id: "forms",
    title: "Forms",
    about: "The agent asks for details; you can fill in, skip or cancel, as the form allows.",
    lines: [
      { say: "I would like to book a service", see: "Four fields, two of them with choices" },
      { say: "I want to return something", see: "Six reasons, and details that you may leave out" },
      { say: "I want to give feedback", see: "Three questions that may all be skipped" },
      { say: "I would like a bike fitting", see: "Twenty fields, the most that one submission can answer" },
    ],
  },
  {
    id: "team",
    title: "The team",
    about:
      "The chat passes to people. In the demonstration a teammate takes it after a few seconds, or you do, in the team inbox of the channel.",
    lines: [
      { say: "I would like to speak to someone", see: "An offer, with the hours of the team if it is away" },
      { say: "This is the third time that you get it wrong!", see: "Wren notices, and offers a person" },
    ],
  },
  {
    id: "edges",
    title: "For developers",
    about: "Replies that test a client: slow ones, long ones, silent ones.",
    lines: [
      { say: "long answer", see: "Three thousand characters in two hundred parts" },
      { say: "slow answer", see: "Two seconds between the parts; reload the page in the middle of it" },
      { say: "think for a minute", see: "A pause long enough for keep-alive comments" },
      { say: "ask me", see: "What was streamed is replaced by a question" },
      { say: "say nothing", see: "A reply without a single part" },
    ],
  },
];
