/**
 * Measures the time from the request that posts a teammate's message until the customer's page shows it,
 * while 200 other chats wait for the team and are polled through the BFF as open pages poll. Needs
 * `npm run build` first. Fails when a message takes longer than 3 s to a visible page, 30 s to a hidden page,
 * or 1 s to a page that is shown again.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Lab } from "../testing/lab/lab-client.ts";
import { TestEnvironment } from "../testing/processes/test-environment.ts";
import { launchBrowser } from "./support/browser.ts";
import { load } from "./support/machine.ts";
import { summary } from "./support/statistics.ts";
import { CustomerPage } from "./teammate-latency/customer-page.ts";
import {
  newWaitingCustomer,
  type PollTally,
  pollForNews,
  type WaitingCustomer,
} from "./teammate-latency/waiting-customers.ts";

const waitingChats = 200;
const pages = 4;
const visibleRounds = 12;
const hiddenRounds = 5;
/** The longest time until the page shows the message, in milliseconds. */
const allowed = { visible: 3_000, hidden: 30_000, returned: 1_000 };
/** Each message waits up to this long, in milliseconds, to be sent at a random moment between two polls. */
const spread = { visible: 2_000, hidden: 20_000 };

const environment = await TestEnvironment.start({ env: { CHANNEL_AGENT_PACE: "0" } });
const lab = new Lab(environment);
const browser = await launchBrowser();
const end = new AbortController();
const tally: PollTally = { milliseconds: [], failures: [] };
const pollers: Promise<void>[] = [];
try {
  const waiting = await manyWaiting();
  const startedPolling = performance.now();
  pollers.push(
    ...waiting.map((customer) =>
      // Nothing awaits this promise before the end, so a rejection would be unhandled until then.
      pollForNews(customer, tally, end.signal).catch((error: unknown) => void tally.failures.push(error)),
    ),
  );
  const customers: CustomerPage[] = [];
  for (let index = 0; index < pages; index += 1)
    customers.push(await CustomerPage.open(browser, environment.shopUrl, lab));

  const visible: number[] = [];
  for (let round = 0; round < visibleRounds; round += 1)
    visible.push(...(await all(customers, (customer) => toScreen(customer, spread.visible))));

  const hidden: number[] = [];
  const returned: number[] = [];
  for (let round = 0; round < hiddenRounds; round += 1) {
    await all(customers, (customer) => customer.setVisibility("hidden"));
    hidden.push(...(await all(customers, (customer) => toScreen(customer, spread.hidden))));
    returned.push(...(await all(customers, toScreenOnReturn)));
  }
  const seconds = (performance.now() - startedPolling) / 1_000;
  end.abort();
  await Promise.all(pollers);

  report("to a page in view", visible, allowed.visible);
  report("to a hidden page", hidden, allowed.hidden);
  report("to a page that is looked at again", returned, allowed.returned);
  const polls = tally.milliseconds.length;
  console.log(
    `${waitingChats} waiting chats: ${polls} polls in ${seconds.toFixed(0)} s (${(polls / seconds).toFixed(0)} a second), ` +
      `${summary(tally.milliseconds)}; ${tally.failures.length} failed`,
  );
  console.log(`load average ${load().toFixed(1)}`);
  if (tally.failures.length > 0) throw new AggregateError(tally.failures.slice(0, 3), "polls failed");
} finally {
  end.abort();
  await Promise.allSettled(pollers);
  await browser.close();
  await environment.stop();
}

/** Creates the waiting customers, four at a time. */
async function manyWaiting(): Promise<WaitingCustomer[]> {
  const customers: WaitingCustomer[] = [];
  let begun = 0;
  const line = async () => {
    while (begun < waitingChats) {
      begun += 1;
      customers.push(await newWaitingCustomer(environment.shopUrl, lab));
    }
  };
  await Promise.all([line(), line(), line(), line()]);
  return customers;
}

function all<T>(
  customers: readonly CustomerPage[],
  act: (customer: CustomerPage) => Promise<T>,
): Promise<T[]> {
  return Promise.all(customers.map(act));
}

async function toScreen(customer: CustomerPage, within: number): Promise<number> {
  await pause(Math.random() * within);
  const text = `Message ${crypto.randomUUID()}`;
  const seen = customer.seen(text);
  const pressed = Date.now();
  await lab.postMessage(customer.chatId, text);
  return (await seen) - pressed;
}

async function toScreenOnReturn(customer: CustomerPage): Promise<number> {
  const text = `Message ${crypto.randomUUID()}`;
  await lab.postMessage(customer.chatId, text);
  const seen = customer.seen(text);
  const returned = Date.now();
  await customer.setVisibility("visible");
  return (await seen) - returned;
}

function report(what: string, milliseconds: readonly number[], most: number): void {
  const isMet = Math.max(...milliseconds) <= most;
  if (!isMet) process.exitCode = 1;
  console.log(
    `${what}: ${milliseconds.length} messages, ${summary(milliseconds)}: ${isMet ? "" : "NOT "}within ${most} ms`,
  );
}
