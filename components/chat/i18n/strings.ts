/**
 * All that the chat says. A dictionary that lacks a sentence does not compile. `{name}` in a sentence is filled in by
 * `fill`, plurals are chosen by `Intl.PluralRules`.
 */
import type { RemedyButton, RemedyText } from "#lib/conversation/remedies.ts";

/** Sentences by plural category; `other` serves every category that a language does not use. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

export interface Strings {
  panel: {
    close: string;
    back: string;
    menu: string;
    newChat: string;
    previousChats: string;
    search: string;
    sound: string;
    notifications: string;
    notificationsBlocked: string;
    statusAgent: string;
    statusWaiting: string;
    statusTeammate: string;
    statusResolved: string;
    messages: string;
  };
  welcome: { title: string; text: string; suggestions: string };
  time: { unknown: string };
  messages: {
    you: string;
    system: string;
    unread: string;
    historyIncomplete: string;
    loadOlder: string;
    loadingOlder: string;
    loadingChat: string;
    olderFailed: string;
    jumpToLatest: string;
    newBelow: Plural;
    said: string;
    team: string;
  };
  /** Why the next try waits. */
  waiting: { turn: string; fast: string; busy: string; connection: string; offline: string; service: string };
  delivery: {
    queued: string;
    sending: string;
    checking: string;
    sent: string;
    edit: string;
    remove: string;
    answering: string;
    stopped: string;
    recovering: string;
  };
  composer: {
    label: string;
    placeholder: string;
    placeholderTeam: string;
    send: string;
    stop: string;
    attach: string;
    camera: string;
    left: Plural;
    tooLong: Plural;
    offline: string;
    closed: string;
    hint: string;
  };
  attachments: {
    label: string;
    remove: string;
    cancel: string;
    uploading: string;
    tooLarge: string;
    empty: string;
    tooMany: string;
    overLimit: string;
    dropHere: string;
    expired: string;
    notLoaded: string;
    ready: string;
    open: string;
  };
  citations: { count: Plural; inShop: string; changed: string; opens: string; untitled: string };
  products: {
    label: string;
    inStock: string;
    soldOut: string;
    stockUnknown: string;
    collectOnly: string;
    from: string;
    was: string;
    priceUnknown: string;
  };
  orders: {
    online: string;
    workshop: string;
    order: string;
    placed: string;
    due: string;
    item: string;
    items: string;
    noItems: string;
    arrived: string;
    notArrived: string;
    arrivalUnknown: string;
    complete: string;
    store: string;
    call: string;
    quantity: string;
  };
  choices: { label: string };
  form: {
    label: string;
    required: string;
    optional: string;
    choose: string;
    clearChoice: string;
    save: string;
    saving: string;
    skip: string;
    cancel: string;
    confirmCancel: string;
    keepForm: string;
    missing: string;
    invalidEmail: string;
    tooLong: Plural;
    saved: string;
    closed: string;
    changedByTeam: string;
    changedElsewhere: string;
    useTheirs: string;
    disputed: string;
    loading: string;
    answers: string;
    notAnswered: string;
    declined: string;
    fillIn: string;
    forTeam: string;
    errorSummary: Plural;
  };
  handoff: {
    offer: string;
    offerNow: string;
    offerLater: string;
    yourTime: string;
    hours: string;
    hoursUnknown: string;
    email: string;
    emailWhy: string;
    emailInvalid: string;
    accept: string;
    accepting: string;
    accepted: string;
    detailsNeeded: string;
    waitingSince: string;
    waiting: string;
    waitingLong: string;
    waitingEmail: string;
    failed: string;
    failedHelp: string;
    askAgain: string;
    askAgainText: string;
  };
  remedies: Record<RemedyText, string>;
  buttons: Record<RemedyButton, string>;
  problems: {
    contact: string;
    requestId: string;
    copy: string;
    copied: string;
    reconnecting: string;
    partFailed: string;
    partWaits: string;
    storageOff: string;
    chatRestarted: string;
  };
  announce: {
    answering: string;
    reply: string;
    teammateReply: string;
    notice: string;
    withProducts: Plural;
    withOrders: Plural;
    withForm: string;
    withOffer: string;
    withChoices: Plural;
    messageFailed: string;
  };
  search: {
    label: string;
    placeholder: string;
    results: Plural;
    position: string;
    none: string;
    previous: string;
    next: string;
    close: string;
    loading: string;
  };
  transcript: {
    title: string;
    download: string;
    print: string;
    sources: string;
    file: string;
    incomplete: string;
  };
  chats: {
    title: string;
    none: string;
    current: string;
    closed: string;
    gone: string;
    forget: string;
    loading: string;
    untitled: string;
  };
  lightbox: { label: string; close: string; previous: string; next: string; download: string };
}

const rightToLeft = /\p{Script=Arabic}/u;

/**
 * In a sentence that runs from right to left each value is isolated (U+2068, U+2069): without that a name in Latin
 * letters would take the punctuation beside it along.
 */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  const isolates = rightToLeft.test(sentence);
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return whole;
    return isolates ? `\u2068${value}\u2069` : value;
  });
}

/** The sentence for a number: `{count}` is the number in the customer's digits. */
export function counted(
  sentences: Plural,
  count: number,
  format: { plural(count: number): Intl.LDMLPluralRule; number(value: number): string },
): string {
  return fill(sentences[format.plural(count)] ?? sentences.other, { count: format.number(count) });
}
