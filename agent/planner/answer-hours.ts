import { localTime, type Store, weekdays } from "#lib/shop/stores.ts";
import type { Passage } from "../knowledge/help-index.ts";
import { hoursAhead, weekdayAhead } from "../knowledge/opening-hours.ts";
import { phrases } from "../replies/by-language.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { HoursRequest } from "../understanding/requests.ts";
import type { Answer } from "./answer.ts";

/** Answers from the shops' data instead of the help pages, so that "now" and "tomorrow" can be answered. */
export function answerHours(request: HoursRequest, context: ToolContext): Answer {
  const { stores } = context.shop.data;
  const asked =
    request.stores.length === 0 ? stores : stores.filter((store) => request.stores.includes(store.id));
  const lines = asked.map((store) =>
    request.wants === "contact" ? contactOf(store, context) : hoursOf(store, request, context),
  );
  return { text: lines.join("\n"), citations: citationsFor(asked, context) };
}

function contactOf(store: Store, { language }: ToolContext): string {
  const say = phrases[language];
  const { street, town, postcode } = store.address;
  const phone = store.phone === null ? say.storeWithoutPhone(store.email) : say.storePhone(store.phone);
  return `${say.storeAddress(store.name, `${street}, ${town} ${postcode}`)}; ${phone}.`;
}

function hoursOf(store: Store, request: HoursRequest, context: ToolContext): string {
  const say = phrases[context.language];
  const { weekday, moment } = request;
  if (moment === "now") return now(store, context);
  if (moment !== undefined)
    return say.openingHours(store.name, dayAhead(store, moment === "tomorrow" ? 1 : 0, say[moment], context));
  if (weekday !== undefined) {
    const name = weekdays[weekday];
    return say.openingHours(
      store.name,
      span(say.days[weekday] ?? "", name === undefined ? null : store.hours[name], context),
    );
  }
  return say.openingHours(store.name, week(store, context));
}

function span(day: string, hours: readonly [string, string] | null, { language }: ToolContext): string {
  const say = phrases[language];
  return hours ? say.opens(day, hours[0], hours[1]) : say.closedOn(day);
}

function dayAhead(store: Store, days: number, name: string, context: ToolContext): string {
  return span(name, hoursAhead(store, context.turn.now, days), context);
}

function now(store: Store, context: ToolContext): string {
  const { turn, language } = context;
  const say = phrases[language];
  const { time } = localTime(turn.now);
  const today = hoursAhead(store, turn.now, 0);
  if (today && today[0] <= time && time < today[1]) return say.openNow(store.name, today[1]);
  if (today && time < today[0]) return say.closedNow(store.name, say.today, today[0]);
  for (let days = 1; days <= 14; days += 1) {
    const hours = hoursAhead(store, turn.now, days);
    const day = days === 1 ? say.tomorrow : (say.days[weekdayAhead(turn.now, days)] ?? "");
    if (hours) return say.closedNow(store.name, day, hours[0]);
  }
  return say.openingHours(store.name, week(store, context));
}

/** The week's hours, with consecutive equal days joined: "Monday to Wednesday 09:00–18:00". */
function week(store: Store, context: ToolContext): string {
  const say = phrases[context.language];
  const groups: { first: number; last: number; hours: readonly [string, string] | null }[] = [];
  weekdays.forEach((name, index) => {
    const hours = store.hours[name];
    const group = groups.at(-1);
    if (group && String(group.hours) === String(hours)) group.last = index;
    else groups.push({ first: index, last: index, hours });
  });
  return groups
    .map(({ first, last, hours }) => {
      const from = say.days[first] ?? "";
      return span(first === last ? from : say.rangeOfDays(from, say.days[last] ?? ""), hours, context);
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
