import { expect, test, vi } from "vitest";
import { readPreferences, writePreferences } from "./preferences.ts";

function aBrowser(permission: NotificationPermission | null, stored?: string) {
  const kept = new Map(stored === undefined ? [] : [["shop-chat:1:browser:preferences", stored]]);
  const localStorage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
  const Notification = { permission };
  vi.stubGlobal("Notification", Notification);
  vi.stubGlobal("window", { localStorage, ...(permission === null ? {} : { Notification }) });
}

test("keeps sounds off until the customer turns them on, and on after a reload", () => {
  aBrowser("default");
  expect(readPreferences()).toEqual({ sounds: false, notifies: false });
  writePreferences({ sounds: true, notifies: false });
  expect(readPreferences()).toEqual({ sounds: true, notifies: false });
});

test("shows notifications only while the browser allows them", () => {
  const wanted = JSON.stringify({ sounds: false, notifies: true });
  for (const permission of ["granted", "denied", "default", null] as const) {
    aBrowser(permission, wanted);
    expect(readPreferences().notifies, String(permission)).toBe(permission === "granted");
  }
});

test("ignores damaged preferences", () => {
  for (const stored of ["{", "7", '{"sounds":"yes"}']) {
    aBrowser("granted", stored);
    expect(readPreferences()).toEqual({ sounds: false, notifies: false });
  }
});
