import { expect, test, vi } from "vitest";
import { allowed } from "./notifications.ts";

test("shows notifications only while the browser allows them", () => {
  for (const permission of ["granted", "denied", "default", null] as const) {
    const Notification = { permission };
    vi.stubGlobal("Notification", Notification);
    vi.stubGlobal("window", permission === null ? {} : { Notification });
    const { notifies } = allowed({ sounds: false, notifies: true, isLarge: false, hidesGreeting: false });
    expect(notifies, String(permission)).toBe(permission === "granted");
  }
});
