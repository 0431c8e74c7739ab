/** Whether the browser lets the chat notify the customer outside the page. */
import type { Preferences } from "../../../lib/engine/preferences.ts";
import { mediaQuery } from "../appearance/media-query.ts";

/** The preferences that the browser allows. */
export function allowed(preferences: Preferences): Preferences {
  return { ...preferences, notifies: preferences.notifies && notificationState() === "granted" };
}

/**
 * Chrome on Android defines `Notification`, but its constructor throws: only a service worker can notify
 * there. Devices without hover count as phones.
 */
export function canNotify(): boolean {
  return typeof Notification !== "undefined" && mediaQuery("(hover: hover)")?.matches === true;
}

export function notificationState(): NotificationPermission {
  return typeof Notification !== "undefined" ? Notification.permission : "denied";
}
