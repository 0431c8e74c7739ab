/**
 * Measures the time between animation frames while a person scrolls. A 60 Hz display shows a frame every 16.7
 * ms and skips late ones.
 */
import type { CDPSession, Page } from "@playwright/test";
import { load } from "./machine.ts";
import { summary } from "./statistics.ts";

/** Scroll gestures, each about `gestureTime` long. */
export type Gesture = (page: Page, at: { x: number; y: number }) => Promise<void>;

const gestureTime = 4_000;
/** The intervals of one and two frames at 60 Hz, with half a millisecond for the clock's jitter. */
const oneFrame = 17.2;
const twoFrames = 33.9;

/** Turns the mouse wheel by 20 notches of 120 pixels per second, as a person who searches does. */
export function wheel(towards: "past" | "end"): Gesture {
  return async (page, { x, y }) => {
    await page.mouse.move(x, y);
    const end = Date.now() + gestureTime;
    while (Date.now() < end) {
      await page.mouse.wheel(0, towards === "past" ? -120 : 120);
      // The pace of the gesture. The delay waits for no condition.
      await page.waitForTimeout(50);
    }
  };
}

/** Repeated swipes at 2,000 pixels per second. */
export function finger(towards: "past" | "end"): Gesture {
  return async (page, { x, y }) => {
    const session = await page.context().newCDPSession(page);
    const end = Date.now() + gestureTime;
    while (Date.now() < end) await swipe(session, x, y, towards === "past" ? 400 : -400);
    await session.detach();
  };
}

async function swipe(session: CDPSession, x: number, y: number, yDistance: number): Promise<void> {
  await session.send("Input.synthesizeScrollGesture", {
    x,
    y,
    yDistance,
    speed: 2_000,
    gestureSourceType: "touch",
    preventFling: true,
  });
}

/** Four key presses per second on the focused list. */
export function key(name: "PageUp" | "PageDown"): Gesture {
  return async (page) => {
    const end = Date.now() + gestureTime;
    while (Date.now() < end) {
      await page.keyboard.press(name);
      await page.waitForTimeout(250);
    }
  };
}

/** Prints the frame times of a page during a gesture. */
export async function reportFrames(
  what: string,
  page: Page,
  gesture: Gesture,
  at: { x: number; y: number },
): Promise<void> {
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    let handle = 0;
    const onFrame = (time: number) => {
      frames.push(time - last);
      last = time;
      handle = requestAnimationFrame(onFrame);
    };
    handle = requestAnimationFrame((time) => {
      last = time;
      handle = requestAnimationFrame(onFrame);
    });
    Object.assign(window, {
      stopFrames() {
        cancelAnimationFrame(handle);
        return frames;
      },
    });
  });
  await gesture(page, at);
  const frames: number[] = await page.evaluate(() =>
    (window as unknown as { stopFrames(): number[] }).stopFrames(),
  );
  const over = (limit: number) =>
    `${((100 * frames.filter((frame) => frame > limit).length) / frames.length).toFixed(1)} %`;
  console.log(
    `  ${what.padEnd(44)} ${String(frames.length).padStart(4)} frames  ${summary(frames, 1)}` +
      `  over 16.7: ${over(oneFrame).padStart(6)}  over 33: ${over(twoFrames).padStart(6)}  load ${load().toFixed(1)}`,
  );
}
