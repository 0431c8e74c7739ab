import type { EndText, Texts } from "./strings.ts";

/**
 * The English dictionary defines the texts: a dictionary that lacks one does not compile. These are needed to
 * open the chat; `en-later.ts` has those of the parts that load on use.
 */
const strings = {
  panel: {
    close: "Close chat",
    dismiss: "Dismiss",
    enlarge: "Enlarge",
    menu: "More",
    statusAgent: "Automatic assistant",
    statusWaiting: "Waiting for the team",
    statusTeammate: "From our team",
    statusResolved: "Closed",
    messages: "Messages",
  },
  welcome: {
    title: "Hello! What are you looking for?",
    text: "{name} is an automatic assistant. It answers from our shop’s pages and can put you in touch with our team.",
    suggestions: "Frequently asked",
  },
  messages: {
    you: "You",
    system: "Notice",
    unread: "New messages",
    historyIncomplete: "Earlier messages are no longer kept.",
    loadOlder: "Show earlier messages",
    loadingOlder: "Loading earlier messages…",
    loadingChat: "Opening your chat…",
    olderFailed: "We couldn’t load earlier messages.",
    jumpToLatest: "Jump to the latest message",
    moreBelow: "More below",
    newBelow: { one: "{count} new message", other: "{count} new messages" },
    said: "{name} said",
    noText: "This message has no text.",
    team: "Team",
  },
  // Why the next attempt waits.
  waiting: {
    turn: "Waiting for the answer in progress…",
    file: "Waiting for the file to be ready…",
    fast: "Sending too fast. Trying again",
    newChat: "One moment: starting your chat",
    busy: "We’re very busy. Trying again",
    connection: "Connection lost. Trying again",
    offline: "Will be sent when you are back online",
    service: "Reconnecting. Trying again",
  },
  delivery: {
    queued: "Waiting to be sent…",
    sending: "Sending…",
    checking: "Checking whether it arrived…",
    unsure: "We’re not sure the answer got through. Checking…",
    stored: "Sent",
    notSent: "Not sent",
    answering: "{name} is answering.",
    slow: "This is taking longer than usual. You can keep writing, or come back later: the answer will be here.",
    stopped: "Stopped. {name} will still finish the answer, and it will appear here.",
    recovering: "Connection lost. Fetching the rest…",
  },
  composer: {
    label: "Your message",
    placeholder: "Ask a question…",
    placeholderTeam: "Write to the team…",
    send: "Send",
    stop: "Stop showing the answer",
    attach: "Attach files",
    camera: "Take a picture",
    left: { one: "{count} character left.", other: "{count} characters left." },
    tooLong: { one: "{count} character too long.", other: "{count} characters too long." },
    offline: "You are offline. Messages are sent when the connection is back.",
    hint: "Enter sends, Shift and Enter starts a new line.",
  },
  files: {
    dropHere: "Drop files to attach them",
    open: "Open {name}",
    // In front of a file's name, and in its place if it has none.
    unnamed: "File",
    expired: "No longer available",
    notLoaded: "This could not be loaded. Please try again.",
  },
  links: {
    opens: "opens in a new tab",
  },
  choices: { label: "Pick a reply" },
  problems: {
    reloadPage: "Reload the page",
    reconnecting: "Reconnecting…",
    pageError: "Something went wrong on this page. Reload it if messages are missing.",
    notRead: "We can’t load your conversation right now.",
    partFailed: "This part could not be loaded.",
    partWaits: "You’ll see this when you’re back online.",
    storageOff: "Your browser isn’t saving anything here: an unsent message is lost when you leave.",
    chatRestarted: "Your earlier chat is gone, so this is a new one.",
  },
  announce: {
    reply: "{name} says: {text}",
    teammateReply: "{name} from the team says: {text}",
    notice: "Notice: {text}",
    // For a message without text.
    message: "Message from {name}.",
    withFiles: {
      one: "{name} sent {count} file: {files}.",
      other: "{name} sent {count} files: {files}.",
    },
    withSources: { one: "{count} source named.", other: "{count} sources named." },
    withProducts: { one: "{count} product shown.", other: "{count} products shown." },
    withOrders: { one: "{count} order shown.", other: "{count} orders shown." },
    withForm: "There is a form to fill in.",
    withOffer: "You can talk to the team.",
    withChoices: { one: "{count} suggested reply.", other: "{count} suggested replies." },
    messageFailed: "Your message was not sent.",
  },
  // In the message field's place.
  ended: {
    chat_gone: "This chat is no longer available.",
    chat_full: "This chat is full.",
    chat_closed: "This chat is closed.",
  } satisfies Record<EndText, string>,
  buttons: {
    try_again: "Try again",
    new_chat: "New chat",
  },
};

export default strings;

export type FirstStrings = Texts<typeof strings>;

/** The texts of the parts that load on use. */
export const later = async () => (await import("./en-later.ts")).later;
