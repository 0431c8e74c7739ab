import { localTime, type Store, weekdays } from "#lib/shop/stores.ts";
import type { Passage } from "../knowledge/help-index.ts";
import { hoursAhead, weekdayAhead } from "../knowledge/opening-hours.ts";
import { listOf, say } from "../language/replies.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Wish } from "../understanding/dialogue.ts";
import type { Answer } from "./answer.ts";

interface Asked {
  /** 0 is Monday. Without `weekday` and `moment`, the whole week is meant. */
  weekday: number | undefined;
  moment: string | undefined;
}

/** Answers from the shops' data instead of the help pages, so that "now" and "tomorrow" can be answered. */
export function answerHours({ row, reading, before }: Wish, context: ToolContext): Answer {
  const { stores } = context.shop.data;
  const [named] = [reading, before].flatMap((each) => (each?.all("store").length ? [each.all("store")] : []));
  const asked = named ? stores.filter((store) => named.includes(store.id)) : stores;
  const time = [reading, before].find(
    (each) => each && [...each.all("day"), ...each.all("moment")].length > 0,
  );
  const weekday = weekdays.findIndex((day) => time?.all("day").includes(day));
  const [moment] = time?.all("moment") ?? [];
  const lines = asked.map((store) =>
    row.hours === "contact"
      ? contactOf(store, context)
      : hoursOf(store, { weekday: weekday < 0 ? undefined : weekday, moment }, context),
  );
  return { text: lines.join("\n"), citations: citationsFor(asked, context) };
}

function contactOf(store: Store, { language }: ToolContext): string {
  const { street, town, postcode } = store.address;
  const phone =
    store.phone === null
      ? say(language, "storeWithoutPhone", { email: store.email })
      : say(language, "storePhone", { phone: store.phone });
  const address = `${street}, ${town} ${postcode}`;
  return `${say(language, "storeAddress", { store: store.name, address })}; ${phone}.`;
}

function hoursOf(store: Store, { weekday, moment }: Asked, context: ToolContext): string {
  const { language } = context;
  if (weekday !== undefined) {
    const name = weekdays[weekday];
    const hours = span(
      listOf(language, "days")[weekday] ?? "",
      name === undefined ? null : store.hours[name],
      context,
    );
    return say(language, "openingHours", { store: store.name, hours });
  }
  if (moment === "now") return now(store, context);
  const day =
    moment === undefined ? undefined : hoursAhead(store, context.turn.now, moment === "tomorrow" ? 1 : 0);
  const hours =
    moment === undefined || day === undefined
      ? week(store, context)
      : span(say(language, moment), day, context);
  return say(language, "openingHours", { store: store.name, hours });
}

function span(day: string, hours: readonly [string, string] | null, { language }: ToolContext): string {
  return hours
    ? say(language, "opens", { day, from: hours[0], to: hours[1] })
    : say(language, "closedOn", { day });
}

function now(store: Store, context: ToolContext): string {
  const { turn, language } = context;
  const { time } = localTime(turn.now);
  const today = hoursAhead(store, turn.now, 0);
  if (today && today[0] <= time && time < today[1])
    return say(language, "openNow", { store: store.name, until: today[1] });
  if (today && time < today[0])
    return say(language, "closedNow", { store: store.name, day: say(language, "today"), from: today[0] });
  for (let days = 1; days <= 14; days += 1) {
    const hours = hoursAhead(store, turn.now, days);
    const day =
      days === 1 ? say(language, "tomorrow") : listOf(language, "days")[weekdayAhead(turn.now, days)];
    if (hours && day) return say(language, "closedNow", { store: store.name, day, from: hours[0] });
  }
  return say(language, "openingHours", { store: store.name, hours: week(store, context) });
}

/** The week's hours, with consecutive equal days joined: "Monday to Wednesday 09:00–18:00". */
function week(store: Store, context: ToolContext): string {
  const { language } = context;
  const days = listOf(language, "days");
  const groups: { first: number; last: number; hours: readonly [string, string] | null }[] = [];
  weekdays.forEach((name, index) => {
    const hours = store.hours[name];
    const group = groups.at(-1);
    if (group && String(group.hours) === String(hours)) group.last = index;
    else groups.push({ first: index, last: index, hours });
  });
  return groups
    .map(({ first, last, hours }) => {
      const from = days[first] ?? "";
      const range = say(language, "rangeOfDays", { from, to: days[last] ?? "" });
      return span(first === last ? from : range, hours, context);
    })
    .join(", ");
}

/** The sections about these shops, in the customer's language or in English. */
function citationsFor(stores: readonly Store[], { shop, turn, language }: ToolContext) {
  const of = (wanted: string) =>
    shop.help.passages.filter(
      (passage) => passage.page.slug === "store-hours" && passage.language === wanted,
    );
  const own = of(language);
  const isAbout = (passage: Passage, store: Store) =>
    passage.section.sentences.join(" ").includes(store.address.postcode);
  return stores.flatMap((store) => {
    const passage = own.find((each) => isAbout(each, store)) ?? of("en").find((each) => isAbout(each, store));
    return passage ? [shop.cite(passage, turn.now)] : [];
  });
}
