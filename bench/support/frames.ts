/**
 * How smoothly a page moves while a person scrolls: the time from each frame of the page to the next, by the browser's
 * own clock of frames. A display of 60 Hz shows a frame every 16.7 ms; one that comes too late is left out.
 */
import { loadavg } from "node:os";
import type { CDPSession, Page } from "@playwright/test";

/** Ways to scroll. Each goes on for about `gestureTime`. */
export type Gesture = (page: Page, at: { x: number; y: number }) => Promise<void>;

const gestureTime = 4_000;
/** What falls between two frames of 60 Hz, and between three: half a millisecond is the clock's own unrest. */
const oneFrame = 17.2;
const twoFrames = 33.9;

/** A wheel turned at the speed of a person who looks for something: a notch of 120 pixels, twenty in a second. */
export function wheel(towards: "past" | "end"): Gesture {
  return async (page, { x, y }) => {
    await page.mouse.move(x, y);
    const end = Date.now() + gestureTime;
    while (Date.now() < end) {
      await page.mouse.wheel(0, towards === "past" ? -120 : 120);
      // The pace of the gesture, which is what is measured under: nothing is waited for.
      await page.waitForTimeout(50);
    }
  };
}

/** A finger that draws the list, again and again: 2,000 pixels in a second. */
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

/** A key pressed four times in a second. The list has the focus. */
export function key(name: "PageUp" | "PageDown"): Gesture {
  return async (page) => {
    const end = Date.now() + gestureTime;
    while (Date.now() < end) {
      await page.keyboard.press(name);
      // The pace of the gesture, as above.
      await page.waitForTimeout(250);
    }
  };
}

/** Prints the frames of a page while the gesture goes on. */
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
  const sorted = frames.toSorted((a, b) => a - b);
  const quantile = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  const over = (limit: number) =>
    `${((100 * frames.filter((frame) => frame > limit).length) / frames.length).toFixed(1)} %`;
  console.log(
    `  ${what.padEnd(44)} ${String(frames.length).padStart(4)} frames  median ${quantile(0.5).padStart(5)} ms` +
      `  p95 ${quantile(0.95).padStart(6)}  most ${quantile(1).padStart(6)}` +
      `  over 16.7: ${over(oneFrame).padStart(6)}  over 33: ${over(twoFrames).padStart(6)}  load ${loadavg()[0]?.toFixed(1)}`,
  );
}
