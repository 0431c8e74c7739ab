/** Looks again and again: at once, then at the pace that it is told, and after a failure when it may. */
import { failureOf } from "#lib/conversation/failure.ts";

/** A tab that leads, follows and leads again within this time has just looked. Milliseconds, as all that follow. */
const justNow = 500;
const firstRetry = 4_000;
const longestRetry = 60_000;
/** Who is told to come back in a month may look sooner: a timer takes no more than 24 days, and fires at once beyond. */
const longestAsked = 24 * 60 * 60 * 1_000;

export interface Poller {
  start(): void;
  stop(): void;
  /** Between two looks; 0 for none but those that `lookNow` asks for. */
  pace(milliseconds: number): void;
  /** Does nothing while it is stopped. */
  lookNow(): void;
}

export function createPoller(look: () => Promise<void>): Poller {
  let isRunning = false;
  let interval = 0;
  /** In a row. While there are any, the next look comes when it may, not at the pace. */
  let failures = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  /** The latest look that is under way: its end sets the time of the next. */
  let latest: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(wait: number): void {
    clearTimeout(timer);
    if (isRunning && wait > 0) timer = setTimeout(run, wait);
  }

  function run(): void {
    clearTimeout(timer);
    // The network's return is a reason to look by itself.
    if (!navigator.onLine) return;
    lastAt = performance.now();
    const mine = look();
    latest = mine;
    const end = (wait: number) => {
      if (latest !== mine) return;
      latest = null;
      plan(wait);
    };
    mine.then(
      () => {
        failures = 0;
        end(interval);
      },
      (error: unknown) => {
        failures += 1;
        end(retryWait(error, failures));
      },
    );
  }

  function lookNow(): void {
    if (isRunning) run();
  }

  return {
    start() {
      isRunning = true;
      window.addEventListener("online", lookNow);
      if (performance.now() - lastAt < justNow) plan(interval);
      else run();
    },
    stop() {
      isRunning = false;
      window.removeEventListener("online", lookNow);
      clearTimeout(timer);
    },
    pace(milliseconds) {
      interval = milliseconds;
      if (failures === 0 && latest === null) plan(interval);
    },
    lookNow,
  };
}

/** As long as the server asks for; without a word of it longer each time, and not at once with all others. */
function retryWait(error: unknown, failures: number): number {
  const asked = (failureOf(error).retryAfterSeconds ?? 0) * 1_000;
  const backOff = Math.min(firstRetry * 2 ** (failures - 1), longestRetry) * (0.5 + Math.random() / 2);
  return Math.min(Math.max(asked, backOff), longestAsked);
}
