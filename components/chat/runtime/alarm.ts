/** Waiting that can be cut short: by the network's return, or by news where they are what is waited for. */
export interface Alarm {
  /** `forNews`: such as the reply to another message. */
  sleep(milliseconds: number, forNews?: boolean): Promise<void>;
  /** Ends every wait now; or, as there are news, every wait for them. */
  ring(isNews?: boolean): void;
}

export function createAlarm(): Alarm {
  /** By how they are woken: whether they wait for news. */
  const sleepers = new Map<() => void, boolean>();
  return {
    sleep: (milliseconds, forNews = false) =>
      new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          sleepers.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        sleepers.set(wake, forNews);
      }),
    ring(isNews = false) {
      for (const [wake, forNews] of [...sleepers]) if (forNews || !isNews) wake();
    },
  };
}
