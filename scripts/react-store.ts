/**
 * Stands for `use-sync-external-store/shim`, which SWR asks for and which brings a copy of this hook along for Reacts that
 * have none: next.config.mjs and scripts/check-weight.ts put it in its place.
 */
export { useSyncExternalStore } from "react";
