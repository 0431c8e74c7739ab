/** Builds the pages from the data that all of them share, and reports failed actions. */
import { deleteCookie, getCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import type { Database } from "../db/database.ts";
import { availabilityAt } from "../handoffs/hours.ts";
import type { ChannelContext } from "../http/app.ts";
import type { LabControls } from "../lab/lab-controls.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { TeamDeps } from "../team/team-actions.ts";
import { countByMode } from "../team/team-inbox.ts";
import { cookieOptions } from "./access.ts";
import { layout, type Page } from "./layout.ts";
import type { ConsoleView } from "./view.ts";
import { comingMoment } from "./wording.ts";

export type PageDeps = TeamDeps & {
  database: Database;
  channelKey: string;
  settings: SettingsStore;
  /** The names to choose from at the console. Empty: any name. */
  members: readonly string[];
  pictureOrigins: readonly string[];
  /** Also signs the console's cookies. */
  teamKey: string;
  lab: LabControls | null;
};

const noticeCookie = "console-notice";

export type Pages = ReturnType<typeof createPages>;

export function createPages(deps: PageDeps) {
  const secret = `${noticeCookie} ${deps.teamKey}`;

  async function view(context: ChannelContext): Promise<ConsoleView> {
    const { hours } = await deps.settings.refresh();
    const now = deps.settings.clock.now();
    const chosen = getCookie(context, "teammate");
    return {
      channelKey: deps.channelKey,
      now,
      timeZone: hours?.timeZone ?? "UTC",
      teammate: chosen ?? deps.members[0] ?? "Teammate",
      members: deps.members,
      counts: await countByMode(deps.database.sql, deps.channelKey),
      availability: availabilitySentence(availabilityAt(hours, now), hours?.timeZone ?? "UTC"),
      labIsOn: deps.lab !== null,
      notice: await takeNotice(context, secret),
    };
  }

  return {
    view,
    show: (context: ChannelContext, current: ConsoleView, page: Page) => context.html(layout(current, page)),
    /**
     * Runs an action and redirects to the page at `back` with a notice: what `run` returns (null for no
     * notice), or why it failed.
     */
    async act(context: ChannelContext, back: string, run: () => Promise<string | null>) {
      const notice = await noticeOf(run);
      if (notice === null) return context.redirect(back, 303);
      const value = `${notice.tone} ${notice.text}`;
      await setSignedCookie(context, noticeCookie, value, secret, {
        ...cookieOptions(context),
        maxAge: 30,
      });
      return context.redirect(back, 303);
    },
  };
}

async function noticeOf(run: () => Promise<string | null>): Promise<ConsoleView["notice"]> {
  try {
    const text = await run();
    return text === null ? null : { tone: "good", text };
  } catch (error) {
    if (error instanceof ChatApiError) return { tone: "bad", text: error.message };
    throw error;
  }
}

/** Takes the last action's notice, which the next page shows once. The script's polls leave it. */
async function takeNotice(context: ChannelContext, secret: string): Promise<ConsoleView["notice"]> {
  if (isPoll(context)) return null;
  const cookie = await getSignedCookie(context, secret, noticeCookie);
  if (!cookie) return null;
  deleteCookie(context, noticeCookie, cookieOptions(context));
  const [, tone, text = ""] = /^(good|bad) (.*)$/s.exec(cookie) ?? [];
  return { tone: tone === "good" ? "good" : "bad", text };
}

/** Whether the console's script asks for the page, to keep an open one up to date. */
export function isPoll({ req: { raw } }: ChannelContext): boolean {
  return raw.method === "GET" && raw.headers.get("x-console") === "live";
}

function availabilitySentence(
  { nextAvailableAt, timezone }: ReturnType<typeof availabilityAt>,
  timeZone: string,
): string {
  if (nextAvailableAt !== null) return `The team is away until ${comingMoment(nextAvailableAt, timeZone)}.`;
  return timezone === null ? "The team is always available." : "The team is available.";
}
