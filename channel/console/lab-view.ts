/** The lab: the clock, the channel's state and limits, and faults on demand. */
import { chatApiErrorCodes } from "#lib/chat-api/errors.ts";
import { operationNames } from "#lib/chat-api/operations.ts";
import type { ChannelLimits } from "../channel-limits.ts";
import { faultKinds } from "../db/documents.ts";
import type { ClockMoment } from "../lab/clock-moments.ts";
import type { Fault } from "../lab/fault-store.ts";
import type { LabState } from "../lab/lab-controls.ts";
import { html, type Markup } from "./markup.ts";
import type { ConsoleView } from "./view.ts";
import { comingMoment } from "./wording.ts";

const limitNames: Record<keyof ChannelLimits, string> = {
  chatsPerChannel: "Chats in the channel",
  operationsPerChat: "Operations in a chat",
  requestsPerMinute: "Requests in a minute",
  concurrentTurns: "Turns at once",
};

export function labPage(view: ConsoleView, state: LabState, moments: readonly ClockMoment[]): Markup {
  return html`<div class="sheet">
    <h1>Lab</h1>
    <div class="panels">${clock(view, state, moments)}${publication(state)}${limits(state)}</div>
    ${faults(state)}
  </div>`;
}

function clock(view: ConsoleView, state: LabState, moments: readonly ClockMoment[]): Markup {
  return html`<section class="panel" aria-labelledby="clock-title">
    <h2 id="clock-title">Clock</h2>
    <p class="clock" id="clock" data-live="clock">${comingMoment(state.now, view.timeZone)}</p>
    <p class="faint" id="clock-utc" data-live="clock-utc">${state.now.toISOString()}. Times, expiry, hours and the team all follow it; it only goes forward.</p>
    <form class="row" method="post" action="/console/lab/clock">
      <label>Move on by <select name="advanceSeconds"><option value="60">a minute</option><option value="3600">an hour</option><option value="86400">a day</option><option value="604800">a week</option></select></label>
      <button class="primary" type="submit">Move</button>
    </form>
    <form class="row" method="post" action="/console/lab/moment">
      <label>Go to <select name="at" id="moments">${moments.map(
        (moment) =>
          html`<option value="${moment.at.toISOString()}">${moment.label} (${comingMoment(moment.at, view.timeZone)})</option>`,
      )}</select></label>
      <button type="submit">Go</button>
    </form>
  </section>`;
}

function publication({ published, suspended }: LabState): Markup {
  return html`<section class="panel" aria-labelledby="channel-title">
    <h2 id="channel-title">Channel</h2>
    <form class="row" method="post" action="/console/lab/channel">
      <label class="check"><input type="checkbox" name="published"${published ? " checked" : ""}> Published</label>
      <label class="check"><input type="checkbox" name="suspended"${suspended ? " checked" : ""}> Workspace suspended</label>
      <button type="submit">Set</button>
    </form>
  </section>`;
}

function limits(state: LabState): Markup {
  const names = Object.entries(limitNames);
  return html`<section class="panel" aria-labelledby="limits-title">
    <h2 id="limits-title">Limits</h2>
    <form method="post" action="/console/lab/limits">
      <div class="columns">${names.map(
        ([name, label]) =>
          html`<label>${label} <input type="number" name="${name}" min="0" max="1000000" placeholder="${limitOf(state.limits, name)}"></label>`,
      )}</div>
      <div class="row"><button type="submit">Set what is filled in</button></div>
    </form>
    <form method="post" action="/console/lab/limits/reset"><button type="submit">Back to the defaults</button></form>
  </section>`;
}

function limitOf(current: ChannelLimits, name: string): string {
  const entry = Object.entries(current).find(([key]) => key === name);
  return String(entry?.[1] ?? "");
}

function faults(state: LabState): Markup {
  return html`<section class="panel" aria-labelledby="faults-title">
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
      <div class="row"><button class="primary" type="submit">Cause</button></div>
    </form>
    <div class="table-frame" tabindex="0" role="region" aria-label="Faults to come">
      <table id="faults" data-live="faults">
        <thead><tr><th scope="col">Operation</th><th scope="col">Fault</th><th scope="col">When</th><th scope="col" class="number">Left</th></tr></thead>
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
  return html`<tr id="fault-${item.id}"><td>${item.operation}</td><td>${item.fault} <span class="faint">${details.join(", ")}</span></td><td>${item.at === "request" ? "instead of it" : "after it"}</td><td class="number">${item.remaining}</td></tr>`;
}
