// @ts-check
/**
 * Keeps the page up to date; everything else of the console works without this script.
 *
 * The server renders whole pages. This page takes the nodes of a newer one, one by one, so that focus, scroll position,
 * opened details and unfinished input stay.
 */

/* global Idiomorph: loaded before this script (`layout.ts`) */

const visiblePause = 2_000;
const hiddenPause = 15_000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let nextLook;

scrollToLatest();
schedule();

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void look();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
    if (event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit();
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (step === undefined || !event.altKey) return;
  const chats = [...document.querySelectorAll("#chats a")];
  const next = chats[chats.findIndex((chat) => chat.hasAttribute("aria-current")) + step];
  if (next instanceof HTMLElement) next.click();
});

function schedule() {
  clearTimeout(nextLook);
  const pause = document.visibilityState === "visible" ? visiblePause : hiddenPause;
  nextLook = setTimeout(() => void look(), pause);
}

/** A page that cannot be updated says so, and keeps what is typed. */
async function look() {
  clearTimeout(nextLook);
  const response = await fetch(location.href, { headers: { "X-Console": "live" } }).catch(() => undefined);
  const page =
    response?.ok && !response.redirected ? await response.text().catch(() => undefined) : undefined;
  if (page !== undefined) show(page);
  else document.getElementById("outdated")?.removeAttribute("hidden");
  schedule();
}

/** @param {string} text a whole page */
function show(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const scroller = document.getElementById("scroller");
  const focused = document.activeElement;
  const wasAtEnd =
    scroller !== null && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 40;
  Idiomorph.morph(document.body, page.body, { callbacks: { beforeAttributeUpdated } });
  document.title = page.title;
  // An element that moves in a list loses the focus.
  if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement)
    focused.focus({ preventScroll: true });
  if (wasAtEnd) scrollToLatest();
}

/**
 * What the reader has opened, typed or chosen stays: the server renders closed `details` and initial values.
 * @param {string} name
 * @param {Element} element
 */
function beforeAttributeUpdated(name, element) {
  if (name === "value") return !element.matches("input, textarea");
  return !["open", "checked", "selected"].includes(name);
}

function scrollToLatest() {
  const scroller = document.getElementById("scroller");
  if (scroller !== null) scroller.scrollTop = scroller.scrollHeight;
}
