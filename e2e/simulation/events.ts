/**
 * Events of tabs, browsers, servers, the Chat API and the team. A new one is a row of `events`, which
 * says what has happened, or null if it could not.
 */
import { actions } from "./actions.ts";
import type { ChatFacts } from "./chat-api.ts";
import type { CustomerStage, Tab } from "./customer-stage.ts";
import { SimulatedChannel } from "./locks.ts";
import type { SimulatedPage } from "./page.ts";
import type { Random } from "./random.ts";
import { createActor } from "./scheduler.ts";
import type { Stage } from "./stage.ts";

const oneOf = <T>(all: readonly T[], random: Random): T | undefined => all[random.between(0, all.length - 1)];

const runningTabs = ({ tabs }: CustomerStage) =>
  tabs.filter(({ page }) => page.life === "open" && !page.actor.isFrozen);

/** Calls back later, whatever happens meanwhile. */
function later({ scheduler }: CustomerStage, delay: number, act: () => string | null): void {
  scheduler.schedule(outside, delay, null, act);
}

const outside = createActor("world");

function onTab<S extends CustomerStage>(
  weight: number,
  act: (stage: S, tab: Tab, random: Random) => string | null,
) {
  return {
    weight,
    happen(stage: S, random: Random) {
      const tab = oneOf(runningTabs(stage), random);
      if (tab === undefined) return null;
      stage.scheduler.become(tab.page.actor);
      return act(stage, tab, random);
    },
  };
}

function onChat(weight: number, act: (stage: Stage, chatId: string, random: Random) => string) {
  return {
    weight,
    happen(stage: Stage, random: Random) {
      const chatId = oneOf([...stage.model.chats.keys()], random);
      return chatId === undefined ? null : act(stage, chatId, random);
    },
  };
}

/** Such a chat holds nothing of a customer. */
const isUnused = ({ messages, files }: ChatFacts) => messages.length === 0 && files.size === 0;

const customers = ["customer-1", "customer-2", "customer-3"] as const;
const most = { tabs: 4, pages: 12 };

export type StageEvent<S> = { weight: number; happen(stage: S, random: Random): string | null };

export const events = {
  // Tabs.
  "a new tab": {
    weight: 4,
    happen(stage: CustomerStage, random: Random) {
      const browser = oneOf(stage.browsers, random);
      const open = stage.tabs.filter((tab) => tab.browser === browser && tab.page.life !== "gone");
      if (browser === undefined || open.length >= most.tabs) return null;
      const copied = random.chance(0.2) ? oneOf(open, random) : undefined;
      const tab = stage.openTab(browser, new Map(copied?.storage));
      return `${tab.name} opens${copied === undefined ? "" : ` as a copy of ${copied.name}`}`;
    },
  },
  "a tab in which the customer writes at once": {
    // The server has not named the customer yet.
    weight: 2,
    happen(stage, random) {
      const tab = oneOf(runningTabs(stage), random);
      if (tab === undefined || stage.pages.length > most.pages) return null;
      stage.reload(tab);
      const { page, name } = tab;
      const act = random.pick(["type and send", "type", "attach", "open a new chat"] as const);
      stage.scheduler.become(page.actor);
      return `${name} is opened, and ${actions[act].act(stage, page, random)}`;
    },
  },
  "a reload": onTab(5, (stage, tab) => {
    if (stage.pages.length > most.pages) return null;
    stage.reload(tab);
    return `${tab.name} is reloaded`;
  }),
  "a closed tab": onTab(2, (stage, tab) => {
    if (runningTabs(stage).length < 2) return null;
    tab.page.discard();
    return `${tab.name} is closed`;
  }),
  "the chat taken off the page": onTab(2, (stage, tab, random) => {
    if (runningTabs(stage).length < 2) return null;
    tab.page.close();
    actOnClosed(stage, tab.page, random);
    later(stage, 3_000, () => {
      actOnClosed(stage, tab.page, random);
      return `the host goes on to use the chat of ${tab.name}`;
    });
    return `${tab.name} closes the chat`;
  }),
  "another tab in front": onTab(6, (stage, tab) => {
    stage.hideOthers(tab.browser, tab.page);
    tab.page.setVisible(true);
    return `${tab.name} comes to the front`;
  }),
  "a hidden tab": onTab(2, (_stage, tab) => {
    if (!tab.page.isVisible) return null;
    tab.page.setVisible(false);
    return `${tab.name} is hidden`;
  }),
  "a tab that a dialog stops": onTab(3, (stage: Stage, tab, random) => {
    tab.page.actor.isFrozen = true;
    const { page } = tab;
    later(stage, random.pick([500, 5_000, 20_000]), () => {
      stage.wake(page);
      return `${tab.name} runs again`;
    });
    return `a dialog stops ${tab.name}`;
  }),
  "a tab that hangs": {
    weight: 1,
    happen(stage: Stage, random: Random) {
      const tabs = runningTabs(stage);
      const sending = tabs.filter(({ page }) => page.state().conversation.pending.length > 0);
      const tab = oneOf(sending.length > 0 ? sending : tabs, random);
      if (tab === undefined) return null;
      Object.assign(tab.page, { hangs: true });
      tab.page.actor.isFrozen = true;
      return `${tab.name} hangs until the end`;
    },
  },
  "the back/forward cache": onTab(3, (stage: Stage, tab, random) => {
    const { page } = tab;
    page.hide();
    later(stage, random.pick([200, 5_000, 60_000]), () => {
      stage.wake(page);
      return `the customer goes back to ${tab.name}`;
    });
    return `${tab.name} goes into the back/forward cache`;
  }),
  // Browsers.
  "no network": {
    weight: 3,
    happen(stage: CustomerStage, random: Random) {
      const browser = oneOf(stage.browsers, random);
      if (browser === undefined || !browser.state.isOnline) return null;
      browser.state.isOnline = false;
      later(stage, random.pick([300, 5_000, 30_000]), () => {
        stage.online(browser);
        return `${browser.name} is online`;
      });
      return `${browser.name} is offline`;
    },
  },
  "lost answers": {
    weight: 4,
    happen(stage, random) {
      if (stage.network.losesAnswers) return null;
      stage.network.losesAnswers = true;
      later(stage, random.pick([3_000, 20_000, 180_000, 180_000]), () => {
        stage.network.losesAnswers = false;
        return "answers arrive again";
      });
      return "no answer arrives any more";
    },
  },
  "lost writes": {
    // Only in the profiles that name it.
    weight: 0,
    happen(stage, random) {
      if (stage.network.losesWrites !== null) return null;
      const instead = random.pick(["nothing", "an error", "an error"] as const);
      stage.network.losesWrites = instead;
      later(stage, random.pick([150_000, 600_000]), () => {
        stage.network.losesWrites = null;
        return "writes arrive again";
      });
      return `each write loses its request or its answer, and ${instead} arrives instead`;
    },
  },
  "a full or blocked storage": {
    weight: 2,
    happen(stage: CustomerStage, random: Random) {
      const browser = oneOf(stage.browsers, random);
      if (browser === undefined) return null;
      const state = random.pick(["full", "blocked"] as const);
      browser.storage.setState(state);
      later(stage, random.pick([1_000, 20_000]), () => {
        browser.storage.setState("usual");
        return `the storage of ${browser.name} works again`;
      });
      return `the storage of ${browser.name} is ${state}`;
    },
  },
  "a cleared storage": {
    weight: 1,
    happen(stage, random) {
      const browser = oneOf(stage.browsers, random);
      if (browser === undefined) return null;
      Object.assign(browser.facts, { hasLostStorage: true, wasCleared: true });
      for (const name of browser.storage.names()) browser.storage.put(name, null);
      return `the storage of ${browser.name} is cleared`;
    },
  },
  "a tab of another build": {
    weight: 1,
    happen(stage, random) {
      const browser = oneOf(stage.browsers, random);
      const page = oneOf(runningTabs(stage), random)?.page;
      const [name] = [...(browser?.channels.keys() ?? [])];
      if (browser === undefined || page === undefined || name === undefined) return null;
      const { chatId, createKey } = page.state().conversation;
      const channel = new SimulatedChannel(name, outside, browser.channels, stage.scheduler, browser.delay);
      channel.postMessage({
        type: "action",
        conversation: { chatId, createKey },
        action: { type: "of_another_build" },
      });
      channel.postMessage({ type: "of_another_build", conversation: { chatId, createKey } });
      channel.close();
      return `a tab of another build speaks in ${browser.name}`;
    },
  },
  "a clock set anew": {
    weight: 1,
    happen(stage, random) {
      const browser = oneOf(stage.browsers, random);
      if (browser === undefined) return null;
      const change = random.pick([-3_600_000, -5_000, 5_000, 3_600_000]);
      browser.clockOffset += change;
      // All pages of a browser have its clock.
      for (const page of stage.pages)
        if (page.options.browser === browser) page.actor.clockOffset = browser.clockOffset;
      return `the clock of ${browser.name} is set to ${browser.clockOffset} ms`;
    },
  },
  "another text to agree to": onTab(1, (_stage, tab, random) => {
    if (tab.page.options.consent === null) return null;
    const version = random.pick(["1", "2", null]);
    tab.page.chat.setConsent(version);
    return `the host of ${tab.name} asks for consent to ${version === null ? "nothing" : `version ${version}`}`;
  }),
  // Sign-in.
  "a sign-in": {
    weight: 3,
    happen(stage, random) {
      const browser = oneOf(stage.browsers, random);
      if (browser === undefined) return null;
      const customer = random.pick(customers);
      stage.signIn(browser, customer);
      return `${customer} signs in to ${browser.name}${tellPages(stage, browser.name, random)}`;
    },
  },
  "a sign-out": {
    weight: 2,
    happen(stage, random) {
      const browser = oneOf(stage.browsers, random);
      if (browser === undefined || browser.facts.customer() === null) return null;
      stage.signOut(browser);
      return `the customer of ${browser.name} signs out${tellPages(stage, browser.name, random)}`;
    },
  },
  // Chat servers.
  "a killed chat server": {
    weight: 2,
    happen(stage, random) {
      const server = oneOf(stage.fleet.servers, random);
      if (server === undefined) return null;
      stage.endServer(server);
      later(stage, random.pick([0, 1_000, 8_000]), () => {
        stage.startServer();
        return "another chat server starts";
      });
      return `${server.actor.name} is killed`;
    },
  },
  "a restarted chat server": {
    weight: 2,
    happen(stage, random) {
      const server = oneOf(stage.fleet.servers, random);
      if (server === undefined || server.actor.isFrozen) return null;
      // A proxy sends it nothing more.
      stage.fleet.servers = stage.fleet.servers.filter((other) => other !== server);
      stage.startServer();
      stage.scheduler.become(server.actor);
      server.stop().then(
        () => stage.scheduler.kill(server.actor),
        () => stage.scheduler.kill(server.actor),
      );
      return `${server.actor.name} is restarted`;
    },
  },
  "a stopped process": {
    weight: 1,
    happen(stage, random) {
      const server = oneOf(stage.fleet.servers, random);
      if (server === undefined || server.actor.isFrozen) return null;
      server.actor.isFrozen = true;
      later(stage, random.pick([500, 10_000, 45_000]), () => {
        stage.scheduler.thaw(server.actor);
        return `${server.actor.name} runs again`;
      });
      return `${server.actor.name} is suspended`;
    },
  },
  "a rotated secret": {
    weight: 1,
    happen(stage, random) {
      const { fleet, scheduler } = stage;
      // An older version does not name a caller's former tags.
      if (fleet.isMixed || scheduler.now() < fleet.rotatesUntil) return null;
      fleet.phase += 1;
      const pause = random.pick([0, 2_000, 10_000]);
      fleet.rotatesUntil = scheduler.now() + pause * fleet.servers.length;
      for (const [index, server] of fleet.servers.entries())
        later(stage, pause * index, () => {
          if (!fleet.servers.includes(server)) return null;
          stage.endServer(server);
          stage.startServer();
          return `${server.actor.name} restarts with the new secrets`;
        });
      return `the chat servers restart one by one with the secrets of phase ${fleet.phase}`;
    },
  },
  // The Chat API.
  "a crash of the Chat API": {
    weight: 5,
    happen(stage) {
      stage.model.crash();
      return "the Chat API crashes";
    },
  },
  "a refusing Chat API": {
    weight: 2,
    happen(stage, random) {
      const { switches } = stage.model;
      const refusal = random.pick(["internal_error", "service_unavailable"] as const);
      switches.refusal = refusal;
      later(stage, random.pick([1_000, 10_000, 60_000]), () => {
        switches.refusal = null;
        return "the Chat API answers again";
      });
      return `the Chat API answers ${refusal}`;
    },
  },
  "the end of the plan": {
    weight: 3,
    happen(stage, random) {
      const { switches } = stage.model;
      const name = random.pick(["planEnded", "atCapacity"] as const);
      switches[name] = true;
      later(stage, random.pick([5_000, 60_000]), () => {
        switches[name] = false;
        return `${name} is over`;
      });
      return `${name} begins`;
    },
  },
  "a rate limit": {
    weight: 1,
    happen(stage, random) {
      const { switches } = stage.model;
      switches.requestsPerMinute = random.between(1, 20);
      later(stage, random.pick([10_000, 60_000]), () => {
        switches.requestsPerMinute = Number.POSITIVE_INFINITY;
        return "the rate limit ends";
      });
      return `the Chat API takes ${switches.requestsPerMinute} requests a minute`;
    },
  },
  "an unpublished agent": {
    weight: 1,
    happen(stage, random) {
      const { switches } = stage.model;
      const isPublished = random.chance(0.5);
      if (isPublished) switches.published = false;
      else switches.suspended = true;
      later(stage, random.pick([2_000, 20_000]), () => {
        switches.published = true;
        switches.suspended = false;
        return "the agent is published";
      });
      return isPublished ? "the agent is unpublished" : "the workspace is suspended";
    },
  },
  "expired cursors": {
    weight: 1,
    happen(stage) {
      stage.model.expireCursors();
      return "all cursors expire";
    },
  },
  // The team.
  "a claim": onChat(4, (stage, chatId) => {
    stage.model.team.claim(chatId, "Kim");
    return `Kim claims ${chatId}`;
  }),
  "a teammate's message": onChat(4, (stage, chatId) => {
    stage.model.team.write(chatId, stage.newText("of the team"));
    return `Kim writes in ${chatId}`;
  }),
  "many messages of the team": onChat(2, (stage, chatId, random) => {
    const count = random.between(5, 40);
    stage.model.team.claim(chatId, "Kim");
    for (let left = count; left > 0; left -= 1) stage.model.team.write(chatId, stage.newText("of the team"));
    return `Kim writes ${count} times in ${chatId}`;
  }),
  "an erased empty chat": {
    weight: 1,
    happen(stage) {
      const [chatId] = [...stage.model.chats].find(([, one]) => isUnused(one)) ?? [];
      if (chatId === undefined) return null;
      stage.model.team.erase(chatId);
      return stage.model.chats.has(chatId) ? null : `${chatId} is erased`;
    },
  },
  "a release": onChat(2, (stage, chatId) => {
    stage.model.team.release(chatId);
    return `Kim gives ${chatId} back to the agent`;
  }),
  "a failed handoff": onChat(1, (stage, chatId) => {
    stage.model.team.fail(chatId);
    return `the handoff of ${chatId} fails`;
  }),
  "a resolved chat": onChat(1, (stage, chatId) => {
    stage.model.team.resolve(chatId);
    return `Kim resolves ${chatId}`;
  }),
} satisfies Record<string, StageEvent<Stage>>;

/** The host calls all actions of a chat that has been closed. */
function actOnClosed(stage: CustomerStage, page: SimulatedPage, random: Random): void {
  stage.scheduler.become(page.actor);
  const unheard = { ...stage, presses: [] };
  for (const [name, { act }] of Object.entries(actions))
    try {
      act(unheard, page, random);
    } catch (error) {
      page.threw(name, error);
    }
}

/** How the browser's pages hear of a sign-in or sign-out, if they do. */
function tellPages(stage: Stage, browser: string, random: Random): string {
  const told = oneOf(
    runningTabs(stage).filter((tab) => tab.browser.name === browser),
    random,
  );
  const how = random.pick(["not", "start", "reload"]);
  if (told === undefined || how === "not" || stage.pages.length > most.pages) return "";
  if (how === "reload") {
    stage.reload(told);
    return `, and ${told.name} is reloaded`;
  }
  stage.scheduler.become(told.page.actor);
  told.page.chat.start();
  return `, and ${told.name} asks the server`;
}
