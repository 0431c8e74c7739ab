/** The lab: the clock, and faults on demand. */
import { chatApiErrorCodes } from "#lib/chat-api/errors.ts";
import { operationNames } from "#lib/chat-api/operations.ts";
import { faultKinds } from "../db/documents.ts";
import { html, type Markup } from "../http/markup.ts";
import type { Fault } from "../lab/fault-store.ts";
import type { LabState } from "../lab/lab-controls.ts";
import type { ConsoleView } from "./view.ts";
import { comingMoment } from "./wording.ts";

export function labPage(view: ConsoleView, state: LabState): Markup {
  return html`<div class="sheet">
    <h1>Lab</h1>
    ${clock(view, state)}
    ${faults(state)}
  </div>`;
}

function clock(view: ConsoleView, state: LabState): Markup {
  return html`<section aria-labelledby="clock-title">
    <h2 id="clock-title">Clock</h2>
    <p id="clock" data-live="clock"><strong>${comingMoment(state.now, view.timeZone)}</strong></p>
    <p id="clock-utc" data-live="clock-utc"><small>${state.now.toISOString()}. Times, expiry, hours and the team all follow it; it only goes forward.</small></p>
    <form class="columns" method="post" action="/console/lab/clock">
      <label>Advance by <select name="advanceSeconds"><option value="60">a minute</option><option value="3600">an hour</option><option value="86400">a day</option><option value="604800">a week</option></select></label>
      <button value="primary" type="submit">Advance</button>
    </form>
  </section>`;
}

function faults(state: LabState): Markup {
  return html`<section aria-labelledby="faults-title">
    <h2 id="faults-title">Faults</h2>
    <form method="post" action="/console/lab/faults" class="columns">
      <label>Operation <select name="operation">${operationNames.map((name) => html`<option${name === "sendMessage" ? " selected" : ""}>${name}</option>`)}</select></label>
      <label>Fault <select name="fault">${faultKinds.map((kind) => html`<option>${kind}</option>`)}</select></label>
      <label>Code of an error <select name="code"><option value=""></option>${chatApiErrorCodes.map((code) => html`<option>${code}</option>`)}</select></label>
      <label>When <select name="at"><option value="">as usual</option><option value="request">instead of it</option><option value="response">after it</option></select></label>
      <label>After deltas <input type="number" name="afterDeltas" min="0" max="1000000"></label>
      <label>Milliseconds <input type="number" name="milliseconds" min="0" max="600000"></label>
      <label>Only in the chat <input name="chatId" maxlength="128" placeholder="any" autocomplete="off" spellcheck="false"></label>
      <label>Times <input type="number" name="times" min="1" max="10000" value="1"></label>
      <button value="primary" type="submit">Add fault</button>
    </form>
    <div class="table" tabindex="0" role="region" aria-label="Pending faults">
      <table id="faults" data-live="faults">
        <thead><tr><th scope="col">Operation</th><th scope="col">Fault</th><th scope="col">When</th><th scope="col">Left</th></tr></thead>
        <tbody>${state.faults.length === 0 ? html`<tr><td colspan="4">None.</td></tr>` : state.faults.map(fault)}</tbody>
      </table>
    </div>
    <form method="post" action="/console/lab/faults/clear"><button type="submit">Clear the faults</button></form>
  </section>`;
}

function fault(item: Fault): Markup {
  const details = [
    item.code,
    item.milliseconds === null ? null : `${item.milliseconds} ms`,
    item.afterDeltas === null ? null : `after ${item.afterDeltas} deltas`,
    item.chatId === null ? null : `in ${item.chatId}`,
  ].filter((detail) => detail !== null);
  return html`<tr id="fault-${item.id}"><td>${item.operation}</td><td>${item.fault} <small>${details.join(", ")}</small></td><td>${item.at === "request" ? "instead of it" : "after it"}</td><td>${item.remaining}</td></tr>`;
}
