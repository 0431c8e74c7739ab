/** The team's inbox as a teammate uses it, and the lab beside it, for worlds of a test's own. */
import { expect, type Locator, type Page } from "@playwright/test";
import type { World } from "./world.ts";

export class TeamConsole {
  readonly page: Page;
  readonly #world: World;

  constructor(page: Page, world: World) {
    this.page = page;
    this.#world = world;
  }

  /** The inbox, as the teammate of this name. */
  async open(name: string): Promise<void> {
    await this.page
      .context()
      .addCookies([{ name: "teammate", value: encodeURIComponent(name), url: this.#world.channelUrl }]);
    await this.page.goto(`${this.#world.channelUrl}/console`);
  }

  /** Opens the only waiting chat whose last message reads so. */
  async openWaiting(preview: string | RegExp): Promise<void> {
    await this.page.goto(`${this.#world.channelUrl}/console?mode=waiting`);
    await this.page.getByRole("link", { name: preview }).click();
  }

  async openChat(chatId: string): Promise<void> {
    await this.page.goto(`${this.#world.channelUrl}/console/chats/${chatId}`);
  }

  async press(
    action: "Claim" | "Take over from the agent" | "Return to the agent" | "Resolve" | "Could not be reached",
  ): Promise<void> {
    await this.page.getByRole("button", { name: action, exact: true }).click();
    await expect(this.page.getByRole("button", { name: action, exact: true })).toHaveCount(0);
  }

  async reply(text: string): Promise<void> {
    await this.page.locator("#reply").fill(text);
    await this.page.locator("#composer").getByRole("button", { name: "Send" }).click();
    await expect(this.messages.filter({ hasText: text })).toBeVisible();
  }

  get messages(): Locator {
    return this.page.locator("#messages li");
  }
}

/** A request to the world's lab. Throws on anything but success. */
export async function lab(world: World, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${world.channelUrl}/lab/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${world.teamKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`lab ${path}: ${answer.status} ${text}`);
  return text === "" ? null : JSON.parse(text);
}

/** The channel's time after it was advanced by so many seconds. The lab's clock never goes back. */
export async function advanceClock(world: World, seconds: number): Promise<Date> {
  const { now } = (await lab(world, "clock", { advanceSeconds: seconds })) as { now: string };
  return new Date(now);
}

/** Advances the channel's clock to the first moment from now on that the condition likes, in steps of a quarter of an hour. */
export async function advanceTo(world: World, isRight: (local: LondonTime) => boolean): Promise<Date> {
  const now = await advanceClock(world, 0);
  const quarter = 15 * 60_000;
  for (let at = Math.ceil(now.getTime() / quarter) * quarter; ; at += quarter) {
    if (at - now.getTime() > 400 * 24 * 3_600_000) throw new Error("no such moment within a year");
    if (isRight(londonTime(new Date(at)))) return advanceClock(world, Math.ceil((at - now.getTime()) / 1000));
  }
}

export interface LondonTime {
  weekday: string;
  month: number;
  day: number;
  /** Hours and minutes as `09:30`. */
  time: string;
}

const london = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  weekday: "short",
  month: "numeric",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

function londonTime(at: Date): LondonTime {
  const part = new Map(london.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    weekday: part.get("weekday") ?? "",
    month: Number(part.get("month")),
    day: Number(part.get("day")),
    time: `${part.get("hour")}:${part.get("minute")}`,
  };
}
