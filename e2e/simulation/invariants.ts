/**
 * Invariants, checked after each step where it can be, and at an episode's end. The names are those of
 * docs/promises.md, whose numbers they carry.
 *
 * A new invariant is a row of `invariants`: `step` and `end` return what is wrong, or null.
 */
import { errorRules } from "#lib/chat-api/errors.ts";
import type { Message } from "#lib/chat-api/message.ts";
import { guestOwner } from "#lib/engine/identity/session.ts";
import { unfinishedNames } from "#lib/engine/state/attachments.ts";
import { typedAnswersOf } from "#lib/engine/state/form-selectors.ts";
import { isIn } from "#lib/engine/state/messages.ts";
import { unreadMessagesOf } from "#lib/engine/state/selectors.ts";
import type { ChatState, ConversationState, PendingMessage } from "#lib/engine/state/state.ts";
import { timelineOf } from "#lib/engine/timeline/timeline.ts";
import { answerTo } from "./agent.ts";
import { slowestWrite } from "./browser.ts";
import type { BrowserFacts, PageFacts, Press, SentRequest, Violation, World } from "./world.ts";

/** The state that the invariants keep from step to step of an episode. */
interface Memory {
  /** How many entries of the world's lists have been looked at. */
  presses: number;
  requests: number;
  /** The presses of the last step. */
  pressed: readonly Press[];
  /** How often each text was sent, and by whom. */
  sends: Map<string, Press[]>;
  /** The customer who was signed in to the host at a press; null for a guest. */
  host: Map<Press, string | null>;
  /** The customers of each browser, null for a guest. */
  customers: Map<BrowserFacts, Set<string | null>>;
  /** How many messages are stored. */
  stored: number;
  /** How often each text is stored as a customer's message. */
  storedTexts: Map<string, number>;
  /** The last state of each page. */
  states: Map<PageFacts, { state: ChatState; at: number }>;
  /** When each page has sent its latest requests. */
  recent: Map<PageFacts, number[]>;
  /** When a page of each browser has last shown another state of its chat. */
  news: Map<BrowserFacts, number>;
  /** Browsers in which the customer has agreed, or the host does not ask. */
  agreed: Set<BrowserFacts>;
  /** Pages that have hung, or have been in the back/forward cache. */
  away: Set<PageFacts>;
  /** Pages whose end has been checked. */
  closed: Set<PageFacts>;
  /** The keys under which pages have asked for a chat. */
  createKeys: Set<string>;
  /** The keys of the conversations that pages have had on screen or have asked for a chat under. */
  knownKeys: Set<string>;
  /** The texts of messages that were refused at some time. */
  refused: Set<string>;
  /** Pages whose beginning has been compared with the page before a reload. */
  begun: Set<PageFacts>;
  /** The messages that a customer has seen, by `seenBy`. */
  seen: Map<string, Set<string>>;
  /** The texts of drafts, and who has typed them. */
  typed: Map<string, Press>;
  /**
   * Presses of guests whose text a customer has found in the message field. There it may be changed or
   * removed, and a sign-out removes it.
   */
  takenOver: Set<Press>;
}

interface Invariant {
  step?(world: World, memory: Memory): string | null;
  end?(world: World, memory: Memory): string | null;
}

type SendPress = Extract<Press, { kind: "send" }>;
type RatePress = Extract<Press, { kind: "rate" }>;
const isSend = (press: Press): press is SendPress => press.kind === "send";

const visitorTexts = (messages: readonly Message[]) =>
  messages.filter(({ role }) => role === "visitor").map(({ text }) => text);

/** A page that has not been told who is signed in takes a message along to the customer whom it is told. */
const isNamed = ({ page, at }: Press) => page.namedAt !== null && page.namedAt <= at;

function countOf<T>(all: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

/** Customers have names of their own; guests are named after their browser. */
const isGuest = (person: string) => person.startsWith("guest of ");

const openPages = ({ pages }: World) =>
  pages.filter((page) => page.life === "open" && !page.actor.isFrozen && !page.actor.isDead);

const named = (page: PageFacts) => page.actor.name;

/** A guest's answers may be listed in another order than they were typed in. */
const inAnyOrder = (text: string) => text.split("\n").sort().join("\n");

const pressesOf = ({ sends }: Memory, text: string) => sends.get(text) ?? sends.get(inAnyOrder(text)) ?? [];

/** All texts that the page shows as the customer's own, the refused ones included. */
function ownTexts(state: ConversationState): string[] {
  return timelineOf(state, () => null).flatMap((row) => {
    if (row.kind === "pending") return [row.pending.record.text];
    return row.kind === "message" && row.message.role === "visitor" ? [row.message.text] : [];
  });
}

/** The names of all files that the page shows as chosen. */
const fileNames = ({ uploads, draft }: ChatState) => [
  ...uploads.map(({ file }) => file.name),
  ...draft.files.map(({ filename }) => filename),
  ...draft.lost,
];

const isSameConversation = (one: ChatState, other: ChatState) =>
  one.owner === other.owner &&
  one.conversation.createKey === other.conversation.createKey &&
  (one.conversation.chatId ?? other.conversation.chatId) === other.conversation.chatId;

/** The page of the last step, before and after it; null if it was another's, or a customer has acted. */
function undisturbed({ changed, hasActed }: World, { states }: Memory) {
  if (changed === null || hasActed || changed.life !== "open") return null;
  const before = states.get(changed)?.state;
  const after = changed.state();
  return before === undefined || before === after ? null : { page: changed, before, after };
}

function shownOf({ changed }: World, { states }: Memory) {
  if (changed === null || changed.life !== "open") return null;
  const { conversation } = changed.state();
  return states.get(changed)?.state.conversation === conversation ? null : { page: changed, conversation };
}

/**
 * Whether the key may replace a known one: each tab replaces a key by the same one. A customer's conversation
 * that takes over a guest's messages begins with what the guest's key has become.
 */
function replacesKnown(createKey: string, { knownKeys }: Memory): boolean {
  const [first = "", count] = createKey.split(".");
  if (count === undefined) return false;
  return (
    first.startsWith("left-") || knownKeys.has(Number(count) > 2 ? `${first}.${Number(count) - 1}` : first)
  );
}

const textsIn = (browser: BrowserFacts) => browser.stored().join("\n");
/** Whether the browser has stored each line of a text, alone or with others in a draft. */
function hasStored(browser: BrowserFacts, text: string): boolean {
  const stored = textsIn(browser).split(/"|\\n/);
  return text.split("\n").every((line) => stored.includes(JSON.stringify(line).slice(1, -1)));
}

const postedTo = ({ method, path }: SentRequest, end: string) => method === "POST" && path.endsWith(end);

const invariants: Record<string, Invariant> = {
  "1 an acknowledged message is never lost": {
    step(world, memory) {
      const step = undisturbed(world, memory);
      if (step === null || !isSameConversation(step.before, step.after)) return null;
      const { page, before, after } = step;
      // Another page may have taken the message back.
      if (!isAlone(world, page) || page.browser.hasLostStorage) return null;
      const isShown = (messageId: string) => after.conversation.messages.some(({ id }) => id === messageId);
      // What lies before a gap is read again with the earlier pages, also what came with a repeated request
      // and was shown at the end until the next read.
      const [first] = after.conversation.messages;
      const isEarlier = ({ id, createdAt }: Message) =>
        !isShown(id) && (createdAt ?? "") < (first?.createdAt ?? "");
      if (after.conversation.history.hasOlder && before.conversation.messages.some(isEarlier)) return null;
      const [shown, still] = [before, after].map(({ conversation }) => countOf(ownTexts(conversation)));
      for (const { record } of before.conversation.pending) {
        const { text } = record;
        // Another page's message may be shown twice until this page has heard that it was sent.
        const most = Math.min(shown?.get(text) ?? 0, pressesOf(memory, text).length);
        if ((still?.get(text) ?? 0) < most && !after.draft.text.includes(text))
          return `${named(page)} no longer shows "${text}"`;
      }
      return null;
    },
    end(world, memory) {
      const { model, pages } = world;
      const stored = countOf([...model.chats.values()].flatMap(({ messages }) => visitorTexts(messages)));
      for (const [text, pressed] of memory.sends) {
        const sent = pressed.filter((press) => isSend(press) && press.key !== null && !press.isTakenBack);
        const missing = sent.length - (stored.get(text) ?? 0);
        if (text === "" || missing <= 0) continue;
        const isShown = pages.some((page) => page.life !== "gone" && showsText(page.state(), text));
        const isStored = world.browsers.some((browser) => hasStored(browser, text));
        // Without a storage a message lasts as long as its page, and so does one that waits for the session.
        const isExcused = pressed.some(
          (press) =>
            press.page.browser.hasLostStorage ||
            (press.person === null && press.page.life !== "open") ||
            memory.takenOver.has(press),
        );
        if (!isShown && !isStored && !isExcused)
          return `"${text}" was sent ${pressed.length} times, is missing ${missing} times, and nothing says so`;
      }
      return null;
    },
  },

  "1 messages are stored in the order in which they were sent": {
    end({ model, pages }, { refused, sends }) {
      const places = new Map<string, number>();
      for (const { chat, messages } of model.chats.values()) {
        for (const [at, text] of visitorTexts(messages).entries()) places.set(text, at);
        const times = messages.flatMap(({ createdAt }) => createdAt ?? []);
        if (times.join() !== times.toSorted().join())
          return `messages of ${chat.id} are older than earlier ones`;
      }
      for (const page of pages) {
        // Tabs that cannot store do not know what the others have sent.
        if (page.browser.hasLostStorage) continue;
        const last = new Map<string, { text: string; at: number }>();
        for (const [text, [press, ...others]] of sends) {
          if (press === undefined || others.length > 0 || press.page !== page || !isSend(press)) continue;
          const at = places.get(text);
          // A message that was sent again is a later one.
          if (at === undefined || refused.has(text) || press.isTakenBack) continue;
          const chat = `${press.person} ${press.chatId ?? press.createKey}`;
          const before = last.get(chat);
          if (before !== undefined && before.at > at)
            return `"${text}" was sent after "${before.text}" and is stored before it`;
          last.set(chat, { text, at });
        }
      }
      return null;
    },
  },

  "2 a repeated request never stores a message twice": {
    step({ model: { conflicts } }, memory) {
      const { storedTexts, customers } = memory;
      // A chat may be asked for in two languages.
      const conflict = conflicts.find((operation) => operation !== "createChat");
      if (conflict !== undefined) return `two different requests for ${conflict} have one key`;
      for (const [text, count] of storedTexts) {
        const pressed = pressesOf(memory, text);
        // After a sign-in it goes to a chat of the customer's. If the storage refused the page that knows
        // the message's chat, another page's record of it still waits for one.
        const mayMove = (press: Press) =>
          (!isNamed(press) || press.page.browser.hasLostStorage) &&
          (customers.get(press.page.browser)?.size ?? 0) > 1;
        const again = pressed.filter((press) => press.page.browser.wasCleared || mayMove(press));
        const most = pressed.length + again.length;
        if (count > most) return `"${text}" is stored ${count} times and was sent ${pressed.length} times`;
      }
      return null;
    },
    end({ model }) {
      for (const { chat, messages } of model.chats.values())
        for (const [index, { role, text }] of messages.entries()) {
          const next = messages[index + 1];
          if (
            role === "agent" &&
            next?.role === "agent" &&
            next.text === text &&
            !/save|skip|cancel/.test(text)
          )
            return `"${text}" is answered twice in ${chat.id}`;
        }
      return null;
    },
  },

  "4 a running reply survives: no page waits in the end": {
    end(world) {
      for (const page of openPages(world)) {
        // It sees what waits, in a storage that works again, when the customer comes to it.
        if (page.browser.hasLostStorage && !page.isVisible) continue;
        const { conversation, uploads, forms } = page.state();
        const waiting = conversation.pending.find(({ delivery }) => delivery.state !== "refused");
        if (waiting !== undefined)
          return `"${waiting.record.text}" is still ${waiting.delivery.state} in ${named(page)}`;
        const upload = uploads.find(({ state }) => state.state === "uploading");
        if (upload !== undefined) return `${upload.file.name} is still uploaded in ${named(page)}`;
        const isSending = [...forms.forms.values()].some(({ progress }) => progress.state === "sending");
        if (isSending || forms.offer.attempt?.state === "sending")
          return `a form or an offer is still sent in ${named(page)}`;
        const { history, syncFailure, reply } = conversation;
        if (history.state === "reading" || history.older === "reading")
          return `messages are still read in ${named(page)}`;
        const unread = history.failure ?? (page.isVisible ? syncFailure : null);
        if (unread !== null && !["gone", "page"].includes(errorRules[unread.code].ends ?? ""))
          return `${named(page)} does not read its chat again after ${unread.code}`;
        if (reply !== null && !conversation.pending.some(({ record }) => record.key === reply.key))
          return `${named(page)} still shows a reply in progress`;
      }
      for (const { chat, turn } of world.model.chats.values())
        if (turn !== null) return `a turn still runs in ${chat.id}`;
      return null;
    },
  },

  "6 a reply is its own message's": {
    step(world, memory) {
      const shown = shownOf(world, memory);
      const { reply = null, pending = [] } = shown?.conversation ?? {};
      const asked = pending.find(({ record }) => record.key === reply?.key)?.record;
      if (shown === null || reply === null || asked === undefined || asked.files.length > 0) return null;
      // Two pages that stream one reply, because one was stopped, tell each other.
      if (!isAlone(world, shown.page)) return null;
      const answers = answersTo(asked.text);
      const isAnswer = (text: string) =>
        answers.some(({ deltas, question }) => deltas.join("").startsWith(text) || text === question);
      return isAnswer(reply.text) && isAnswer(reply.newText ?? "")
        ? null
        : `${named(shown.page)} shows "${reply.text}" as the reply to "${asked.text}"`;
    },
    end({ model }) {
      for (const { chat, messages } of model.chats.values())
        for (const [index, { role, text }] of messages.entries()) {
          const before = messages[index - 1];
          if (role !== "agent" || (before !== undefined && before.files.length > 0)) continue;
          // A closed form is answered, too.
          const asked = ["save", "skip", "cancel", ...(before?.role === "visitor" ? [before.text] : [])];
          const answers = asked.flatMap(answersTo);
          if (!answers.some(({ deltas, question = deltas.join("") }) => text === question))
            return `"${text}" in ${chat.id} answers nothing that comes before it`;
        }
      return null;
    },
  },

  "7 one press of Send creates at most one chat": {
    step(world, memory) {
      const { model, requests } = world;
      const { createKeys } = memory;
      const shown = shownOf(world, memory);
      // Another page stores a message before it hears of the chat.
      if (shown !== null && isAlone(world, shown.page) && !shown.page.browser.hasLostStorage) {
        const { chatId, pending } = shown.conversation;
        const waiting = pending.find(({ record }) => record.chatId === null);
        if (chatId !== null && waiting !== undefined)
          return `"${waiting.record.text}" waits for a chat, and ${named(shown.page)} has ${chatId}`;
      }
      const asked = requests.slice(memory.requests).find((request) => postedTo(request, "/chats"));
      const key = asked?.key ?? null;
      if (key !== null && !memory.knownKeys.has(key) && !replacesKnown(key, memory))
        return `${asked?.page.actor.name} asks for a chat under ${key}, which is the key of no conversation`;
      const isAnother = ({ page, key: asKey, body }: SentRequest) =>
        page === asked?.page && asKey === key && body !== asked.body;
      // Another tab's language may arrive late.
      if (key !== null && isOnly(world, asked?.page) && requests.some(isAnother))
        return `${asked?.page.actor.name} asks for a chat under ${key} in two languages`;
      if (model.chats.size <= createKeys.size) return null;
      // Under a new session the guest's key is another's.
      const sessions = requests.filter((request) => postedTo(request, "/session")).length;
      return model.chats.size > createKeys.size + sessions
        ? `${model.chats.size} chats were created under ${createKeys.size} keys`
        : null;
    },
    end({ model, presses }, { host }) {
      const chatOf = new Map<string, string>();
      for (const { chat, messages } of model.chats.values())
        for (const text of visitorTexts(messages)) chatOf.set(text, chat.id);
      const chosen = new Map<string, string>();
      const isInOtherChat = ({ at, page: { browser } }: Press) =>
        presses.some(
          (later) => later.kind === "new chat" && later.page.browser === browser && later.at >= at,
        );
      for (const press of presses) {
        if (!isSend(press) || press.chatId !== null) continue;
        // Tabs that cannot store may ask for one chat in two languages.
        if (press.page.browser.hasLostStorage || isInOtherChat(press)) continue;
        // Each page takes along what was written in it before it knew of a sign-in.
        if (press.person !== host.get(press)) continue;
        const chatId = chatOf.get(press.text);
        if (chatId === undefined) continue;
        const other = chosen.get(press.createKey) ?? chatId;
        if (other !== chatId) return `messages of one new chat are in ${other} and ${chatId}`;
        chosen.set(press.createKey, chatId);
      }
      return null;
    },
  },

  "8 two tabs do not interfere: all agree in the end": {
    end(world) {
      for (const page of openPages(world)) {
        const { conversation } = page.state();
        const stored = conversation.chatId === null ? undefined : world.model.chats.get(conversation.chatId);
        if (stored === undefined || conversation.history.state !== "ready" || !page.isVisible) continue;
        // Without its session the browser has been told that the chat is gone.
        const isGone = (request: SentRequest) =>
          request.page.browser === page.browser &&
          request.person === page.person() &&
          request.status === 404 &&
          request.path.startsWith(`/chats/${stored.chat.id}`);
        if (world.requests.some(isGone)) continue;
        const ids = conversation.messages.map(({ id }) => id);
        const tail = stored.messages.slice(-ids.length || stored.messages.length).map(({ id }) => id);
        if (tail.join() !== ids.join())
          return `${named(page)} shows ${ids.length} messages, which are not the latest of ${stored.messages.length}`;
        if (conversation.chat !== null && conversation.chat.mode !== stored.chat.mode)
          return `${named(page)} shows the mode ${conversation.chat.mode} of a chat in mode ${stored.chat.mode}`;
      }
      return null;
    },
  },

  "8 the tab in which a message was sent sends it, and shows the reply as it grows": {
    step({ presses, requests }, memory) {
      const isOthers = (key: string | null, page: PageFacts) =>
        presses.some((one) => isSend(one) && one.key !== null && one.key === key && one.page !== page);
      for (const { page, path, key, at } of requests.slice(memory.requests)) {
        const press = key === null ? undefined : presses.filter(isSend).find((one) => one.key === key);
        if (press === undefined || press.page === page || !path.endsWith("/messages")) continue;
        // The customer may have it sent again in another tab.
        if (presses.some((one) => one.kind === "repeat" && one.page === page && one.at >= press.at)) continue;
        // Another tab takes over from one that has closed, hangs or is in the back/forward cache.
        if (press.page.life !== "open" || memory.away.has(press.page)) continue;
        // Messages of a new chat wait for another turn once it has an ID, which some tabs see late.
        const isNew = requests.some(
          (one) => postedTo(one, "/chats") && (one.answeredAt ?? 0) > at - slowestWrite,
        );
        if (press.chatId === null && isNew) continue;
        const hasSent = requests.some((one) => one.key === key && one.page === press.page);
        // It has had its turn, and has not seen yet that the messages before its own were sent.
        const isBehind = requests.some(
          (one) => one.page === press.page && one.at > at - slowestWrite && isOthers(one.key, press.page),
        );
        if (isBehind) continue;
        if (!hasSent && !page.browser.hasLostStorage)
          return `${named(page)} sends "${press.text}", which was sent in ${named(press.page)}`;
      }
      return null;
    },
  },

  "8 a message that has left the outbox does not come back": {
    step({ browsers }, { customers }) {
      for (const browser of browsers) {
        // At a sign-in the messages of a page go with it.
        if (browser.hasLostStorage || (customers.get(browser)?.size ?? 0) > 1) continue;
        const name = browser.restored.find((one) => one.includes(":message:"));
        if (name !== undefined) return `${browser.name} stores ${name} again`;
      }
      return null;
    },
  },

  "10 a form's answers are those that were pressed": {
    end({ model, presses }) {
      const submitted = presses.filter((press) => press.kind === "submit");
      const answers = new Set(
        submitted.flatMap((press) => [...press.answers.values()].map((text) => text.trim())),
      );
      for (const { chat, details } of model.chats.values())
        for (const { fieldId, value, actor } of details.values.values())
          if (value !== null && actor === "visitor" && !answers.has(value))
            return `${fieldId} of ${chat.id} is "${value}", which nobody has submitted`;
      return null;
    },
  },

  "11 a chat is passed to the team at most once for each offer": {
    step({ model: { notices }, presses }) {
      const accepted = presses.filter((press) => press.kind === "accept");
      for (const { chatId, confirmationId, email } of notices) {
        const own = accepted.filter((press) => press.confirmationId === confirmationId);
        const isForTeam = presses.some((press) => press.kind === "submit" && press.forTeam === chatId);
        if (own.length === 0 && !isForTeam)
          return `${chatId} was passed to the team, and nobody has accepted that`;
        if (notices.filter((notice) => notice.confirmationId === confirmationId).length > 1)
          return `${chatId} was passed to the team twice for one offer`;
        const addresses = presses.flatMap((press) =>
          press.kind === "submit" ? [...press.answers.values()] : [],
        );
        if (email !== null && ![...accepted.map((press) => press.email), ...addresses].includes(email))
          return `the team was given ${email}, which the customer has not given`;
      }
      return null;
    },
    end({ model: { chats, notices } }) {
      for (const { chat } of chats.values())
        if (chat.mode === "waiting" && !notices.some(({ chatId }) => chatId === chat.id))
          return `${chat.id} waits for the team, which was not told`;
      return null;
    },
  },

  "12 one key uploads one file": {
    end({ model, presses }) {
      const attached = countOf(presses.flatMap((press) => (press.kind === "attach" ? [press.fileName] : [])));
      for (const { chat, files } of model.chats.values())
        for (const [name, count] of countOf([...files.values()].map(({ file }) => file.filename)))
          if (count > (attached.get(name) ?? 0)) return `${name} is stored ${count} times in ${chat.id}`;
      return null;
    },
  },

  "15 retries do not make an outage worse": {
    step(world, { recent }) {
      const page = world.requests.at(-1)?.page;
      const times = page === undefined ? [] : (recent.get(page) ?? []);
      return times.length >= most.requests
        ? `${page?.actor.name} has sent ${times.length} requests within ${most.span / 1_000} s`
        : null;
    },
  },

  "16 two equal messages are shown once each": {
    step(world, memory) {
      const shown = shownOf(world, memory);
      const { reply = null, messages = [] } = shown?.conversation ?? {};
      if (reply !== null && messages.some(({ id }) => id === reply.replyId))
        return `${shown?.page.actor.name} shows ${reply.replyId} twice`;
      // Another page hears a little later that a message has been sent.
      return shown === null || !isAlone(world, shown.page) ? null : shownTwice(shown, memory);
    },
    end(world, memory) {
      for (const page of openPages(world)) {
        const twice = shownTwice({ page, conversation: page.state().conversation }, memory);
        if (twice !== null) return twice;
      }
      return null;
    },
  },

  "17 what is typed, attached or answered is not lost without a word": {
    step(world, memory) {
      for (const press of memory.pressed)
        if (press.kind === "attach" && !fileNames(press.page.state()).includes(press.fileName))
          return `${named(press.page)} does not show the chosen ${press.fileName}`;
      const step = undisturbed(world, memory);
      if (step === null || !isSameConversation(step.before, step.after)) return null;
      const { page, before, after } = step;
      if (!isAlone(world, page) || page.browser.hasLostStorage) return null;
      const { text } = before.draft;
      if (!after.draft.text.includes(text) && !isElsewhere(world, page, text))
        return `${named(page)} has lost the draft "${text}"`;
      const kept = new Set(fileNames(after));
      const sent = world.presses.flatMap((press) => (isSend(press) ? press.fileNames : []));
      // With `agree` a message goes out as soon as its files are uploaded.
      const hasAgreed = world.presses.some((press) => isSend(press) && press.key === null);
      const lost = fileNames(before).find((name) => !kept.has(name) && !sent.includes(name));
      if (lost !== undefined && !hasAgreed) return `${named(page)} has lost the file ${lost}`;
      const [given, now] = [before.forms.offer.email, after.forms.offer.email];
      if (given !== "" && now === "") return `${named(page)} has lost the address ${given}`;
      if (before.conversation.collection?.request?.id !== after.conversation.collection?.request?.id)
        return null;
      const answers = typedAnswersOf(after);
      for (const [field, typed] of typedAnswersOf(before))
        if (typed !== "" && answers.get(field) !== typed)
          return `${named(page)} has lost the answer "${typed}"`;
      return null;
    },
    end({ browsers }) {
      for (const browser of browsers) {
        const size = browser.stored().reduce((sum, value) => sum + value.length, 0);
        if (size > most.storedCharacters) return `${browser.name} stores ${size} characters`;
      }
      return null;
    },
  },

  "17 a reload keeps what was typed and attached": {
    step(world, memory) {
      const page = world.changed;
      const before = page?.replaces?.state();
      const after = page?.state();
      if (page === null || memory.begun.has(page) || before === undefined || after?.owner == null)
        return null;
      memory.begun.add(page);
      if (before.owner !== null && !isSameConversation(before, after)) return null;
      if (!isAlone(world, page) || page.browser.hasLostStorage) return null;
      const { text } = before.draft;
      if (!after.draft.text.includes(text) && !isElsewhere(world, page, text))
        return `${named(page)} has lost the draft "${text}"`;
      const sent = world.presses.flatMap((press) => (isSend(press) ? press.fileNames : []));
      // The customer may have removed one before the server has named them to the page.
      const removed = world.presses.map((press) =>
        press.kind === "remove" && press.page === page ? press.fileName : undefined,
      );
      const names = [...fileNames(after), ...sent, ...removed];
      const chosen = [
        ...unfinishedNames(before.uploads),
        ...before.draft.files.map(({ filename }) => filename),
        ...before.draft.lost,
      ];
      const lost = chosen.find((name) => !names.includes(name));
      if (lost !== undefined) return `${named(page)} has lost the file ${lost}`;
      for (const [id, { typed }] of before.forms.forms)
        for (const [field, answer] of typed ?? [])
          if (after.forms.forms.get(id)?.typed?.get(field) !== answer)
            return `${named(page)} has lost the answer "${answer}"`;
      return null;
    },
  },

  "18 after close() nothing is sent, stored or thrown": {
    step(world, memory) {
      const late = world.requests.slice(memory.requests).find(({ life }) => life === "closed");
      if (late !== undefined) return `${named(late.page)} requests ${late.path} after close()`;
      const [error] = world.errors;
      if (error !== undefined) return `${error.where}: ${describe(error.error)}`;
      for (const page of world.pages) {
        if (page.lateWrites > 0) return `${named(page)} writes to the storage after close()`;
        if (page.closedState !== null && page.closedState !== page.state())
          return `${named(page)} changes after close()`;
        if (page.closedAt === null || memory.closed.has(page) || world.now() < page.closedAt + 10_000)
          continue;
        memory.closed.add(page);
        const timers = world.timersOf(page.actor);
        if (timers > 0) return `${named(page)} has ${timers} timers ten seconds after close()`;
      }
      return null;
    },
  },

  "20 nothing of one customer reaches another": {
    step(world, memory) {
      const shown = shownOf(world, memory);
      const person = shown?.page.person() ?? null;
      // A guest's chat that a customer has taken over is the guest's again after a sign-out.
      if (shown === null || person === null || isGuest(person)) return null;
      for (const text of visitorTexts(shown.conversation.messages)) {
        const pressed = pressesOf(memory, text);
        const owners = pressed.flatMap((press) => [press.person, memory.host.get(press)]);
        if (!pressed.every((press) => isNamed(press) && press.person === memory.host.get(press))) continue;
        const isOthers = (owner: string | null | undefined) =>
          typeof owner === "string" && owner !== person && !isGuest(owner);
        if (owners.some((owner) => owner === person) || !owners.some(isOthers)) continue;
        if (owners.every((owner) => isOthers(owner)))
          return `${named(shown.page)} shows ${person} "${text}" of ${owners.join(" and ")}`;
      }
      return null;
    },
    end({ model }, memory) {
      for (const { chat, messages } of model.chats.values()) {
        const people = new Set<string>();
        for (const text of visitorTexts(messages)) {
          const [press, ...others] = pressesOf(memory, text);
          if (press === undefined || others.length > 0) continue;
          const host = memory.host.get(press) ?? null;
          // A page may learn later that another customer has signed in.
          if (press.person === host && host !== null) people.add(host);
        }
        if (people.size > 1) return `${chat.id} holds messages of ${[...people].join(" and ")}`;
      }
      return null;
    },
  },

  "20 what a guest had not sent is in the customer's message field": {
    step({ changed: page }, { states, storedTexts }) {
      if (page === null || page.browser.hasLostStorage) return null;
      const { state: before, at = 0 } = states.get(page) ?? {};
      // What is written before the server names anyone goes to whom it names.
      if (before?.owner !== guestOwner || page.namedAt === null || page.namedAt > at) return null;
      const { owner, draft } = page.state();
      if (page.life !== "open" || owner === guestOwner) return null;
      const lines = draft.text.split("\n");
      const answer = answersInDoubt(before.forms).find((text) => !lines.includes(text));
      if (answer !== undefined) return `${named(page)} does not show the guest's answer "${answer}"`;
      const shown = fileNames(page.state());
      const file = unfinishedNames(before.uploads).find((name) => !shown.includes(name));
      if (file !== undefined) return `${named(page)} does not show the guest's file ${file}`;
      const stays = ({ record }: PendingMessage) =>
        page.browser.names().some((name) => name.includes(`:guest:message:${record.key}`));
      // Another page may have shown them before, or has sent them.
      const isShown = ({ record: { text } }: PendingMessage) =>
        draft.text.includes(text) || hasStored(page.browser, text) || storedTexts.has(text);
      const message = before.conversation.pending.find((pending) => stays(pending) || !isShown(pending));
      return message === undefined
        ? null
        : `${named(page)} does not show the guest's "${message.record.text}"`;
    },
  },

  "20 a page is the customer's whom the server has named": {
    step({ changed }) {
      if (changed === null || changed.life !== "open" || changed.told === null) return null;
      return changed.person() === changed.told
        ? null
        : `${named(changed)} is ${changed.person()}'s, and the server has named ${changed.told}`;
    },
    end(world) {
      const since = world.now() - 60_000;
      for (const page of openPages(world)) {
        const hasAsked = world.requests.some(
          (request) => request.page === page && request.at > since && request.path !== "/session",
        );
        const person = page.person();
        const customer = page.browser.customer();
        if (!hasAsked || person === null) continue;
        if (customer === null ? !isGuest(person) : person !== customer)
          return `${named(page)} is ${person}'s, and ${customer ?? "a guest"} is here`;
      }
      return null;
    },
  },

  "21 history has no hole that nothing tells of": {
    step(world, memory) {
      const shown = shownOf(world, memory);
      const { chatId = null, messages = [], listedId = null } = shown?.conversation ?? {};
      const stored = chatId === null ? [] : (world.model.chats.get(chatId)?.messages ?? []);
      const [first] = messages;
      if (shown === null || first === undefined || listedId === null) return null;
      // What came with a turn may follow what the team has written meanwhile, until the next poll.
      const upTo = (id: string) => stored.findIndex((message) => message.id === id);
      const read = stored.slice(upTo(first.id), upTo(listedId) + 1);
      const missing = read.find(({ id }) => messages.every((message) => message.id !== id));
      return missing === undefined
        ? null
        : `${named(shown.page)} does not show ${missing.id} between ${first.id} and ${listedId}`;
    },
  },

  "21 history repeats nothing": {
    step(world, memory) {
      const shown = shownOf(world, memory);
      const chatId = shown?.conversation.chatId ?? null;
      const stored = chatId === null ? undefined : world.model.chats.get(chatId);
      if (shown === null || stored === undefined) return null;
      const foreign = shown.conversation.messages.find((message) => message.chatId !== chatId);
      if (foreign !== undefined)
        return `${named(shown.page)} shows ${foreign.id} of ${foreign.chatId} in ${chatId}`;
      const ids = shown.conversation.messages.map(({ id }) => id);
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      // Where the team has written meanwhile, the order is right after the next poll.
      return twice === undefined ? null : `${named(shown.page)} shows ${twice} of ${chatId} twice`;
    },
  },

  "8 the tabs of one browser show the same": {
    end(world) {
      const pages = openPages(world).filter(
        (page) =>
          !page.browser.hasLostStorage &&
          page.told === page.person() &&
          page.state().conversation.history.state === "ready",
      );
      const shownBy = (page: PageFacts) => {
        const { conversation, draft, feedback } = page.state();
        const { chatId, chat, seenId, pending } = conversation;
        const rated = [...(feedback ?? [])].map(([id, { kind, value }]) => `${id} ${kind} ${value}`);
        const listed = page.chat.chats().find((one) => one.chatId === chatId);
        return {
          chat: [page.browser.name, page.person(), chatId].join(" "),
          what: {
            draft: draft.text,
            "the last message seen": seenId,
            feedback: rated.sort().join(),
            "what waits": pending.map(({ record }) => record.key).join(),
          },
          isWithTeam: chat?.mode === "waiting" || chat?.mode === "teammate",
          isClosed: chat?.mode === "resolved",
          listed,
        };
      };
      const first = new Map<string, ReturnType<typeof shownBy>["what"]>();
      for (const page of pages) {
        const { chat, what, listed, ...state } = shownBy(page);
        if (page.state().conversation.chatId === null) continue;
        const other = first.get(chat) ?? what;
        first.set(chat, other);
        for (const name of Object.keys(what) as (keyof typeof what)[])
          if (what[name] !== other[name])
            return `of ${name}, ${named(page)} shows "${what[name]}" and another tab "${other[name]}"`;
        if (listed && (listed.awaitsTeam !== state.isWithTeam || listed.isClosed !== state.isClosed))
          return `${named(page)} remembers another state of ${listed.chatId}`;
      }
      return null;
    },
  },

  "15 nothing is sent that the specification refuses": {
    step({ apiRequests }) {
      const refused = apiRequests.findLast(({ status }) => status === 400);
      return refused === undefined ? null : `${refused.method} ${refused.path} is no valid request`;
    },
  },

  "a host gets what a customer thinks": {
    end(world) {
      const last = new Map<string, RatePress>();
      for (const press of world.presses)
        if (press.kind === "rate") last.set(`${press.chatId} ${press.messageId}`, press);
      for (const press of last.values()) {
        const { page, person, chatId, messageId, rated, value } = press;
        const { browser } = page;
        const isHere = openPages(world).some((one) => one.browser === browser && one.person() === person);
        if (!isHere || !isNamed(press) || browser.hasLostStorage) continue;
        const isOther = (one: Press) =>
          one.kind === "rate" && one.messageId === messageId && one.page !== page;
        // What is given up after an outage goes out with the next page.
        const isRefused = ({ path, status }: SentRequest) =>
          path === `/chats/${chatId}/feedback` && status !== 204;
        if (world.presses.some(isOther) || world.requests.some(isRefused)) continue;
        const got = world.feedback.findLast((one) => one.chatId === chatId && one.messageId === messageId);
        if (got?.kind !== rated || got.value !== value)
          return `${named(page)} has rated ${messageId} ${rated} ${value}, and the host has ${got?.kind} ${got?.value}`;
      }
      return null;
    },
  },

  "1 a message that is answered is not said to be unsent": {
    end(world, memory) {
      for (const page of openPages(world)) {
        const { conversation } = page.state();
        const { pending, messages, history } = conversation;
        if (history.state !== "ready" || !page.isVisible || page.browser.hasLostStorage) continue;
        const isAnswered = (text: string) => {
          const at = messages.findIndex((message) => message.role === "visitor" && message.text === text);
          return at >= 0 && messages.slice(at).some(({ role }) => role === "agent" || role === "teammate");
        };
        const wrong = pending.find(
          ({ record, delivery }) =>
            delivery.state === "refused" &&
            pressesOf(memory, record.text).length === 1 &&
            isAnswered(record.text),
        );
        if (wrong !== undefined)
          return `${named(page)} shows "${wrong.record.text}" as unsent, which is stored and answered`;
      }
      return null;
    },
  },

  "15 a write waits as long as the server has asked": {
    step(world, memory) {
      for (const request of world.requests.slice(memory.requests)) {
        const { key, at, page } = request;
        // Messages, files and tabs ask for one chat under one key.
        if (key === null || postedTo(request, "/chats") || page.browser.hasLostStorage) continue;
        const isEarlier = (other: SentRequest) =>
          other !== request && other.key === key && other.page.browser === page.browser;
        const last = world.requests.findLast(isEarlier);
        if (last === undefined || last.retryAt === null) continue;
        // Pages know the time in whole milliseconds.
        if (Math.floor(last.retryAt) <= at) continue;
        // Another tab sees the wait with the write that stores it.
        if (last.page !== page && at - (last.answeredAt ?? at) < slowestWrite) continue;
        const hasPressed = world.presses.some(
          (press) => press.at >= last.at && press.page.browser === page.browser,
        );
        if (!hasPressed) return `${named(page)} repeats ${request.path} before the server wants it`;
      }
      return null;
    },
  },

  "15 hidden tabs poll as often as one, a visible one as often as it is of use": {
    end(world, { news }) {
      const since = world.now() - pollTime;
      const ofChat = (chatId: string) => `/chats/${chatId}/messages/news`;
      for (const page of openPages(world)) {
        const { chatId, chat, history, messages, syncFailure } = page.state().conversation;
        if (chatId === null || chat === null || history.state !== "ready" || syncFailure !== null) continue;
        const all = world.requests.filter(
          (request) =>
            request.at > since &&
            request.page.browser === page.browser &&
            request.path.startsWith(ofChat(chatId)),
        );
        const hidden = all.filter((poll) => !poll.page.isVisible).length;
        // All tabs read what one of them has found.
        const hasNews = (news.get(page.browser) ?? 0) > since;
        if (!hasNews && hidden > mostHiddenPolls) return `hidden tabs poll ${chatId} ${hidden} times`;
        // A browser may have several windows, each with a visible tab.
        const polls = all.filter((poll) => poll.page === page);
        // The last poll has found out.
        if (!hasNews && chat.mode === "resolved" && polls.length > 0)
          return `${named(page)} polls ${chatId}, which is resolved`;
        if (!page.isVisible || polls.some(({ status }) => status !== 200)) continue;
        if (page.told !== page.person()) continue;
        const isWithTeam = chat.mode === "waiting" || chat.mode === "teammate";
        if (isWithTeam && polls.length < leastPolls)
          return `${named(page)} polls ${chatId} ${polls.length} times, which is with the team`;
        const isIdle = chat.mode === "agent" && messages.at(-1)?.role !== "visitor";
        if (!hasNews && isIdle && polls.length > mostPolls)
          return `${named(page)} polls ${chatId} ${polls.length} times, which nobody writes in`;
      }
      return null;
    },
  },

  "17 neither an action nor the server's first answer loses what is written": {
    step(world, memory) {
      const { changed: page, hasActed } = world;
      const before = page === null ? undefined : memory.states.get(page)?.state;
      if (page === null || page.life !== "open" || before === undefined) return null;
      const after = page.state();
      if (after.owner === null || page.browser.hasLostStorage) return null;
      // What is written before the server names the customer goes to whom it names.
      const isNew = before.owner === null;
      if (!isNew && (!hasActed || before.owner !== after.owner)) return null;
      if (memory.pressed.some(({ kind }) => kind === "type" || kind === "remove")) return null;
      const unsentYet = before.conversation.pending.filter(
        ({ delivery }) => isNew || delivery.state === "refused",
      );
      const texts = [before.draft.text, ...unsentYet.map(({ record }) => record.text)];
      const { uploads, draft } = before;
      const files = [
        ...unfinishedNames(uploads),
        ...draft.files.map(({ filename }) => filename),
        ...draft.lost,
      ];
      const unsent = [...texts.flatMap((text) => text.split("\n")), ...files];
      const listed = after.conversation.messages.map(({ text, files }) =>
        [text, ...files.map(({ filename }) => filename)].join("\n"),
      );
      const kept = [after.draft.text, ...ownTexts(after.conversation), ...fileNames(after), ...listed];
      const everything = [...kept, textsIn(page.browser)].join("\n");
      const lost = unsent.find((one) => !everything.includes(one));
      return lost === undefined ? null : `${named(page)} has lost "${lost}" by an action`;
    },
  },

  "20 a draft is not shown to another customer": {
    step({ changed: page }, memory) {
      const person = page?.person() ?? null;
      if (page === null || page.life !== "open" || person === null || isGuest(person)) return null;
      const others = page
        .state()
        .draft.text.split("\n")
        .flatMap((line) => memory.typed.get(line) ?? []);
      const foreign = others.find(
        (press) => isNamed(press) && press.person === memory.host.get(press) && press.person !== person,
      );
      return foreign?.person == null || isGuest(foreign.person)
        ? null
        : `${named(page)} shows ${person} the draft of ${foreign.person}`;
    },
  },

  "21 what is shown does not become older": {
    step(world, memory) {
      const step = undisturbed(world, memory);
      if (step === null || !isSameConversation(step.before, step.after)) return null;
      const [before, after] = [step.before.conversation, step.after.conversation];
      if (before.chat !== null && before.chat.updatedAt > (after.chat?.updatedAt ?? ""))
        return `${named(step.page)} shows an earlier state of ${before.chat.id}`;
      return (before.collection?.version ?? 0) > (after.collection?.version ?? 0)
        ? `${named(step.page)} shows an earlier version of a form`
        : null;
    },
  },

  "21 what came after the customer has looked is unread": {
    step(world, memory) {
      const shown = shownOf(world, memory);
      if (shown === null || !isAlone(world, shown.page) || shown.page.browser.hasLostStorage) return null;
      const { page, conversation } = shown;
      const unread = unreadMessagesOf(conversation);
      const own = unread.find(({ role }) => role === "visitor");
      if (own !== undefined) return `${named(page)} shows the customer's own "${own.text}" as unread`;
      const seen = memory.seen.get(seenBy(page));
      const before = memory.states.get(page)?.state;
      // A page that has hung hears of what was seen elsewhere after other news.
      const unreadBefore = before === undefined ? [] : unreadMessagesOf(before.conversation);
      const again = unread.find(({ id }) => seen?.has(id) && !isIn(unreadBefore, id));
      if (again !== undefined) return `${named(page)} shows "${again.text}" as unread again`;
      if (before === undefined || world.hasActed || !isSameConversation(before, page.state())) return null;
      const known = new Set(before.conversation.messages.map(({ id }) => id));
      // Those of an earlier page are above the first one.
      const first = conversation.messages.findIndex(({ id }) => known.has(id));
      const missed = conversation.messages.find(
        (message, at) =>
          first >= 0 &&
          at > first &&
          !known.has(message.id) &&
          message.role !== "visitor" &&
          !unread.includes(message) &&
          !seen?.has(message.id),
      );
      return missed === undefined ? null : `${named(page)} does not show "${missed.text}" as unread`;
    },
    end(world, { seen }) {
      for (const page of openPages(world)) {
        const { conversation } = page.state();
        const isRead = conversation.history.state === "ready" && conversation.syncFailure === null;
        if (!isRead || page.browser.hasLostStorage || page.told !== page.person()) continue;
        const unread = unreadMessagesOf(conversation).find(({ id }) => seen.get(seenBy(page))?.has(id));
        if (unread !== undefined) return `${named(page)} still shows "${unread.text}" as unread`;
      }
      return null;
    },
  },

  "consent comes before what it is asked for": {
    step(world, memory) {
      const { changed: page } = world;
      if (page?.life === "open" && !page.state().hasConsent) {
        const accepted = memory.pressed.find((press) => isSend(press) && press.key !== null);
        const before = memory.states.get(page)?.state.uploads ?? [];
        const begun = page.state().uploads.find(({ key, state }) => {
          const earlier = before.find((upload) => upload.key === key);
          return state.state === "uploading" && earlier?.state.state !== "uploading";
        });
        if (accepted !== undefined || begun !== undefined)
          return `${named(page)} takes what the customer has not agreed to`;
      }
      const sent = world.requests.slice(memory.requests).find((request) => {
        const isContent = postedTo(request, "/messages") || postedTo(request, "/files");
        return isContent && !memory.agreed.has(request.page.browser);
      });
      return sent === undefined
        ? null
        : `${named(sent.page)} sends ${sent.path} before the customer has agreed`;
    },
  },
};

/** Names a customer in a chat of one browser. */
const seenBy = (page: PageFacts) =>
  [page.browser.name, page.person(), page.state().conversation.chatId].join(" ");

/** The last time of an episode, in which nothing happens, and how often pages poll in it. */
const pollTime = 60_000;
const mostHiddenPolls = 3;
const [leastPolls, mostPolls] = [20, 3];

/** All that the agent may answer, in its first attempt or a later one. */
const answersTo = (text: string) => [1, 2].map((attempt) => answerTo(text, attempt));

/** A page that repeats without a pause sends more requests than this. */
const most = { requests: 200, span: 10_000, storedCharacters: 200_000 };

/** The answers of a form's request that has got no response. */
function answersInDoubt({ submission }: ChatState["forms"]): string[] {
  const [, values]: [unknown, [string, string][]] = JSON.parse(submission?.request ?? "[null,[]]");
  return values.map(([, text]) => text).filter((text) => text !== "");
}

/** True if another page of the browser, or a message, has the text. */
function isElsewhere({ pages, presses }: World, page: PageFacts, text: string): boolean {
  const isSent = presses.some((press) => isSend(press) && press.text.includes(text));
  const isTypedOver = presses.some(
    (press) => press.kind === "type" && press.page !== page && press.page.browser === page.browser,
  );
  const isShown = pages.some((other) => other.browser === page.browser && showsText(other.state(), text));
  return isSent || isTypedOver || isShown;
}

/** How often a press may be shown: after a sign-in one tab may ask about what another one is sending. */
function timesOf({ person, page }: Press): number {
  // Tabs that cannot store do not know what the others have sent.
  const isAgain = person !== null && isGuest(person) && page.browser.customer() !== null;
  return isAgain || page.browser.hasLostStorage ? 2 : 1;
}

/** No other page of its browser runs. */
const isAlone = ({ pages }: World, page: PageFacts) =>
  pages.every(
    (other) =>
      other === page || other.browser !== page.browser || other.life === "gone" || other.life === "closed",
  );

/** No other page of its browser was ever open, and it stores. */
const isOnly = ({ pages }: World, page: PageFacts | undefined) =>
  page?.browser.hasLostStorage === false &&
  pages.every((other) => other === page || other.browser !== page.browser);

function shownTwice(
  { page, conversation }: { page: PageFacts; conversation: ConversationState },
  memory: Memory,
): string | null {
  for (const [text, count] of countOf(ownTexts(conversation))) {
    const sent = pressesOf(memory, text).reduce((sum, press) => sum + timesOf(press), 0);
    if (text !== "" && count > sent)
      return `${named(page)} shows "${text}" ${count} times, and it was sent ${sent} times`;
  }
  return null;
}

const showsText = ({ conversation, draft }: ChatState, text: string) =>
  draft.text.includes(text) || conversation.pending.some(({ record }) => record.text === text);

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const memories = new WeakMap<World, Memory>();

function memoryOf(world: World): Memory {
  const known = memories.get(world);
  if (known !== undefined) return known;
  const memory: Memory = {
    presses: 0,
    requests: 0,
    pressed: [],
    sends: new Map(),
    host: new Map(),
    customers: new Map(),
    stored: 0,
    storedTexts: new Map(),
    states: new Map(),
    recent: new Map(),
    news: new Map(),
    agreed: new Set(),
    away: new Set(),
    closed: new Set(),
    createKeys: new Set(),
    knownKeys: new Set(),
    refused: new Set(),
    begun: new Set(),
    seen: new Map(),
    typed: new Map(),
    takenOver: new Set(),
  };
  memories.set(world, memory);
  return memory;
}

/** The text of the message that a press may become. A guest's answers do at a sign-in, to be sent or not. */
function messageOf(press: Press): string | null {
  if (press.kind === "submit")
    return inAnyOrder([...press.answers.values()].filter((text) => text !== "").join("\n"));
  return isSend(press) ? press.text : null;
}

/** Notes which of a guest's presses a customer finds in the message field. */
function lookAtField({ changed, presses }: World, { states, takenOver }: Memory): void {
  const person = changed?.person() ?? null;
  if (changed === null || person === null || isGuest(person)) return;
  const { text } = changed.state().draft;
  if (text === "" || text === states.get(changed)?.state.draft.text) return;
  const shown = text.split("\n");
  for (const press of presses) {
    // A message from before the server's first answer becomes the guest's whom it names.
    const isGuests = press.person === null || isGuest(press.person);
    const lines = messageOf(press)?.split("\n") ?? [];
    if (isGuests && press.page.browser === changed.browser && lines.every((line) => shown.includes(line)))
      takenOver.add(press);
  }
}

/** Notes the news of a step before its checks. */
function look(world: World, memory: Memory): void {
  memory.pressed = world.presses.slice(memory.presses);
  for (const browser of world.browsers) {
    const customers = memory.customers.get(browser) ?? new Set();
    memory.customers.set(browser, customers.add(browser.customer()));
  }
  for (const press of memory.pressed) {
    memory.host.set(press, press.page.browser.customer());
    const text = messageOf(press);
    if (text !== null) memory.sends.set(text, [...(memory.sends.get(text) ?? []), press]);
    if (press.kind === "type") memory.typed.set(press.text, press);
    if (press.kind === "see") {
      const key = seenBy(press.page);
      memory.seen.set(key, new Set([...(memory.seen.get(key) ?? []), ...press.messageIds]));
    }
  }
  lookAtField(world, memory);
  memory.presses = world.presses.length;
  for (const page of world.pages) if (page.life === "cached" || page.actor.isFrozen) memory.away.add(page);
  if (world.changed?.state().hasConsent) memory.agreed.add(world.changed.browser);
  const { createKey = "", pending } = world.changed?.state().conversation ?? { pending: [] };
  if (!createKey.includes(".") || replacesKnown(createKey, memory)) memory.knownKeys.add(createKey);
  for (const { record } of pending) if (record.refusal !== null) memory.refused.add(record.text);
  for (const request of world.requests.slice(memory.requests)) {
    if (postedTo(request, "/chats") && request.key !== null) memory.createKeys.add(request.key);
    const times = memory.recent.get(request.page) ?? [];
    const since = request.at - most.span;
    memory.recent.set(request.page, [...times.filter((time) => time >= since), request.at]);
  }
  const all = [...world.model.chats.values()].map(({ messages }) => messages);
  const count = all.reduce((sum, messages) => sum + messages.length, 0);
  if (count !== memory.stored) memory.storedTexts = countOf(all.flatMap(visitorTexts));
  memory.stored = count;
}

/** Keeps what the checks of later steps compare. */
function remember(world: World, memory: Memory): void {
  memory.requests = world.requests.length;
  for (const key of memory.createKeys) memory.knownKeys.add(key);
  const { changed } = world;
  if (changed === null) return;
  const [before, after] = [memory.states.get(changed)?.state, changed.state()].map(
    (one) => one?.conversation,
  );
  if (before?.messages !== after?.messages || before?.chat !== after?.chat)
    memory.news.set(changed.browser, world.now());
  memory.states.set(changed, { state: changed.state(), at: world.now() });
}

function firstOf(world: World, memory: Memory, when: "step" | "end"): Violation | null {
  for (const [invariant, checks] of Object.entries(invariants)) {
    const what = checks[when]?.(world, memory) ?? null;
    if (what !== null) return { invariant, what };
  }
  return null;
}

/** Checks the world after a step. */
export function violationAtStep(world: World): Violation | null {
  const memory = memoryOf(world);
  look(world, memory);
  const violation = world.model.broken ?? firstOf(world, memory, "step");
  remember(world, memory);
  return violation;
}

/** When the network has healed, time has run on and nothing waits any more. */
export function violationAtEnd(world: World): Violation | null {
  const memory = memoryOf(world);
  look(world, memory);
  return firstOf(world, memory, "end");
}
