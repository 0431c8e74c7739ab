// @vitest-environment jsdom
import { expect, test } from "vitest";
import { pageBrowser } from "./page-browser.ts";

function dispatch(name: "pagehide" | "pageshow"): void {
  window.dispatchEvent(new PageTransitionEvent(name, { persisted: true }));
}

test("a page that comes back from the back/forward cache hears what was stored and removed meanwhile", () => {
  for (const name of ["removed", "changed", "kept"]) localStorage.setItem(`shop-chat:1:${name}`, "1");
  const heard: string[] = [];
  const stop = pageBrowser().onStored((name) => heard.push(name));
  dispatch("pagehide");
  localStorage.removeItem("shop-chat:1:removed");
  localStorage.setItem("shop-chat:1:changed", "2");
  localStorage.setItem("shop-chat:1:added", "1");
  localStorage.setItem("of the page", "1");
  dispatch("pageshow");
  expect(heard.sort()).toEqual(["shop-chat:1:added", "shop-chat:1:changed", "shop-chat:1:removed"]);
  stop();
  dispatch("pageshow");
  expect(heard).toHaveLength(3);
});
