/** Waiting that can be cut short: by the network's return, a reply that was seen, or the customer. */
export interface Alarm {
  sleep(milliseconds: number): Promise<void>;
  /** Ends every wait now. */
  ring(): void;
}

export function createAlarm(): Alarm {
  const sleepers = new Set<() => void>();
  return {
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          sleepers.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        sleepers.add(wake);
      }),
    ring() {
      for (const wake of [...sleepers]) wake();
    },
  };
}
