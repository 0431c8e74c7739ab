/** Shows the team's hours and a form to change them. */
import { type Weekday, weekdays } from "../db/team-hours.ts";
import type { HoursForm } from "./hours-form.ts";
import { html, type Markup } from "./markup.ts";
import type { ConsoleView } from "./view.ts";

const dayNames: Record<Weekday, string> = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
};

export function hoursPage(view: ConsoleView, form: HoursForm, hasHours: boolean): Markup {
  return html`<div class="sheet">
    <h1>Team hours</h1>
    <p>${view.availability}</p>
    <form class="panel" id="hours" method="post" action="/console/hours">
      <p class="faint">Outside these hours customers are asked for an e-mail address, and told when the team is back. A running chat is never cut off.</p>
      <label>Time zone <input name="timeZone" value="${form.timeZone}" required maxlength="64" list="zones" autocomplete="off"></label>
      <datalist id="zones">${Intl.supportedValuesOf("timeZone").map((zone) => html`<option value="${zone}">`)}</datalist>
      <div class="columns">${weekdays.map(
        (day) =>
          html`<label>${dayNames[day]} <input name="${day}" value="${form[day]}" placeholder="closed" maxlength="120" aria-describedby="period-hint"></label>`,
      )}</div>
      <p class="faint" id="period-hint">For example 09:00-17:30, or 09:00-12:30, 13:30-17:30. Midnight is 24:00.</p>
      <label>Closures <textarea name="closures" rows="7" maxlength="8000" aria-describedby="closure-hint">${form.closures}</textarea></label>
      <p class="faint" id="closure-hint">One to a line: 2027-05-03 for a date, 12-25 for the same date of every year, or good-friday, easter-sunday, easter-monday, ascension-day, whit-monday. A part of a day: 12-24 13:00-24:00 Christmas Eve.</p>
      <div class="row"><button class="primary" type="submit">Save hours</button></div>
    </form>
    <form class="panel" method="post" action="/console/hours/none">
      <p>${hasHours ? "Without hours the team counts as available at any time." : "The team keeps no hours: it counts as available at any time."}</p>
      <div class="row"><button type="submit"${hasHours ? "" : " disabled"}>Remove the hours</button></div>
    </form>
  </div>`;
}
