/**
 * Timers that can end early: when the network returns or, for those that wait for news, when news arrives.
 */
export interface Alarm {
  /** `forNews`: also ends when news arrives, such as the reply to another message. */
  sleep(milliseconds: number, forNews?: boolean): Promise<void>;
  /** Ends every wait; with `isNews`, only those that wait for news. */
  wake(isNews?: boolean): void;
}

export function createAlarm(): Alarm {
  /** Each wait's end function, and whether the wait ends on news. */
  const sleeping = new Map<() => void, boolean>();
  return {
    sleep: (milliseconds, forNews = false) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          sleeping.delete(end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        sleeping.set(end, forNews);
      }),
    wake(isNews = false) {
      for (const [end, forNews] of [...sleeping]) if (forNews || !isNews) end();
    },
  };
}
