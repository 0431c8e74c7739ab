import { addDays, hoursOn, localTime, type Store, weekdayOf, weekdays } from "#lib/shop/stores.ts";
import type { Answer } from "../answer.ts";
import { type Language, listInSentence, weekdayName } from "../language/languages.ts";
import type { Reading } from "../language/reading.ts";
import { say } from "../language/replies.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Wish } from "../understanding/dialogue.ts";
import { cite } from "./answer-help.ts";

/** Answers from the shops' data instead of the help pages, so that "now" and "tomorrow" can be answered. */
export function answerHours({ row, reading, before }: Wish, context: ToolContext): Answer {
  const { shop, language } = context;
  const readings = before ? [reading, before] : [reading];
  const named = readings.map((each) => each.all("store")).find((ids) => ids.length > 0);
  const asked = shop.stores.filter(({ id }) => named?.includes(id) ?? true);
  const time = readings.find((each) => each.all("day").length + each.all("moment").length > 0);
  const sections = asked.map(({ id }) => shop.help.section(`store-hours#${id}`, language));
  return {
    text: asked
      .map((store) => (row.hours === "contact" ? contactOf(store, language) : hoursOf(store, time, context)))
      .join("\n"),
    citations: cite(sections, context),
  };
}

function contactOf({ name: store, phone, email, address: at }: Store, language: Language): string {
  const { street, town, postcode } = at;
  const reach =
    phone === null ? say(language, "storeWithoutPhone", { email }) : say(language, "storePhone", { phone });
  const address = say(language, "storeAddress", { store, address: `${street}, ${town} ${postcode}` });
  return listInSentence([address, reach], language);
}

function hoursOf(store: Store, time: Reading | undefined, { turn, language }: ToolContext): string {
  const day = weekdays.find((each) => time?.all("day").includes(each));
  const [moment] = time?.all("moment") ?? [];
  if (day === undefined && moment === "now") return hoursNow(store, turn.now, language);
  const date = addDays(localTime(turn.now).date, moment === "tomorrow" ? 1 : 0);
  let hours = week(store, language);
  if (day !== undefined) hours = span(weekdayName(language, day), store.hours[day], language);
  else if (moment !== undefined) hours = span(say(language, moment), hoursOn(store, date).hours, language);
  return say(language, "openingHours", { store: store.name, hours });
}

function hoursNow(store: Store, moment: Date, language: Language): string {
  const { date, time } = localTime(moment);
  for (let ahead = 0; ahead <= 14; ahead += 1) {
    const later = addDays(date, ahead);
    const { hours } = hoursOn(store, later);
    if (hours === null || (ahead === 0 && hours[1] <= time)) continue;
    const [from, until] = hours;
    if (ahead === 0 && from <= time) return say(language, "openNow", { store: store.name, until });
    const near = (["today", "tomorrow"] as const)[ahead];
    const day = near ? say(language, near) : weekdayName(language, weekdayOf(later));
    return say(language, "closedNow", { store: store.name, day, from });
  }
  return say(language, "openingHours", { store: store.name, hours: week(store, language) });
}

function span(day: string, hours: readonly [string, string] | null, language: Language): string {
  return hours
    ? say(language, "opens", { day, from: hours[0], to: hours[1] })
    : say(language, "closedOn", { day });
}

/** The week's hours, with consecutive equal days joined: "Monday to Wednesday 09:00–18:00". */
function week(store: Store, language: Language): string {
  const groups: { days: string[]; hours: readonly [string, string] | null }[] = [];
  for (const day of weekdays) {
    const hours = store.hours[day];
    const group = groups.at(-1);
    if (group && String(group.hours) === String(hours)) group.days.push(weekdayName(language, day));
    else groups.push({ days: [weekdayName(language, day)], hours });
  }
  return groups
    .map(({ days: [from = "", ...others], hours }) => {
      const to = others.at(-1);
      return span(to === undefined ? from : say(language, "rangeOfDays", { from, to }), hours, language);
    })
    .join(", ");
}
