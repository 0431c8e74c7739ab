import { whenOnline } from "./when-online.ts";

/** Parts of the chat that load together on use. */
export interface LazyParts<Parts> {
  /** The same promise for each call, for React's `use`. Online it begins at once. */
  load(): Promise<Parts>;
  /** After a failure, the next `load` loads again. */
  loadAgain(): void;
}

export function lazyParts<Parts>(load: () => Promise<Parts>): LazyParts<Parts> {
  let loading: Promise<Parts> | null = null;
  let hasFailed = false;
  return {
    load() {
      if (loading === null) {
        loading = whenOnline().then(load);
        loading.catch(() => {
          hasFailed = true;
        });
      }
      return loading;
    },
    loadAgain() {
      if (hasFailed) loading = null;
      hasFailed = false;
    },
  };
}
