/** How the customer is notified of new messages. Stored in this browser. */

import { createStorage } from "../../../lib/engine/storage/storage.ts";
import { isRecord, parseJson } from "../../../lib/engine/storage/stored.ts";

export interface Preferences {
  sounds: boolean;
  /** Browser notifications, outside the page. */
  notifies: boolean;
}

const owner = "browser";
const name = "preferences";

export function readPreferences(): Preferences {
  const stored = parseJson(createStorage(owner).read(name));
  const value = isRecord(stored) ? stored : {};
  return {
    sounds: value["sounds"] === true,
    notifies: value["notifies"] === true && notificationState() === "granted",
  };
}

export function writePreferences(preferences: Preferences): void {
  createStorage(owner).write(name, JSON.stringify(preferences));
}

/**
 * Chrome on Android defines `Notification`, but its constructor throws: only a service worker can notify
 * there. Devices without hover count as such.
 */
export function canNotify(): boolean {
  return "Notification" in window && window.matchMedia("(hover: hover)").matches;
}

export function notificationState(): NotificationPermission {
  return "Notification" in window ? Notification.permission : "denied";
}

export async function requestNotifications(): Promise<NotificationPermission> {
  return "Notification" in window ? Notification.requestPermission() : "denied";
}
