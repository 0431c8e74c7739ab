import { phrases } from "../replies/by-language.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Dialogue } from "../understanding/dialogue.ts";
import type { TalkKind } from "../understanding/requests.ts";
import type { Answer } from "./answer.ts";

/** The kinds of small talk answered here; the others are demonstrations. */
type Conversational = Exclude<
  TalkKind,
  "long-answer" | "slow-answer" | "think-minute" | "ask-me" | "say-nothing"
>;

export function answerTalk(
  kind: Conversational,
  dialogue: Dialogue,
  { shop, language }: ToolContext,
): Answer {
  const say = phrases[language];
  switch (kind) {
    case "greeting":
      return { text: say.hello(shop.data.agentName), choices: say.helloChoices };
    case "thanks":
      return { text: say.thanksReply };
    case "goodbye":
      return { text: say.goodbyeReply };
    case "how-are-you":
      return { text: say.howAreYouReply };
    case "who-are-you":
      return { text: say.whoAreYouReply(shop.data.agentName) };
    case "capabilities":
      return { text: say.capabilities, choices: say.helloChoices };
    case "joke":
      return { text: say.jokeReply };
    case "insult":
      return { text: say.insultReply };
    case "praise":
      return { text: say.praiseReply };
    case "laugh":
      return { text: say.laughReply };
    case "yes":
      return dialogue.offered
        ? { text: say.offerStands, offer: {} }
        : { text: say.yesReply, choices: say.helloChoices };
    case "no":
      return { text: say.noReply };
  }
}
