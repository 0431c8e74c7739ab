// @ts-check
/**
 * Keeps the page up to date and submits its forms without a reload. Without this script every page and form of the
 * console still works, with full page loads.
 *
 * The server renders whole pages. This page takes the nodes of a newer one, one by one, so that focus, scroll position,
 * opened details and unfinished input stay.
 */

/* global Idiomorph: loaded before this script (`layout.ts`) */

const visiblePause = 2_000;
const hiddenPause = 15_000;

/** Counts actions: a page that was requested before the latest action is outdated when it arrives. */
let generation = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let nextLook;

document.documentElement.classList.add("scripted");
scrollToLatest();
schedule();

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void look();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== "post" || form.dataset["plain"] !== undefined)
    return;
  event.preventDefault();
  void send(form, event.submitter);
});

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement && target.id === "teammate") target.form?.requestSubmit();
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

/** The inbox's own address shows the first chat of its list, which changes: polls ask for the chat on this page. */
function address() {
  return document.body.dataset["address"] ?? location.href;
}

/**
 * Runs a request. Without an answer, says so: what was typed stays.
 * @param {() => Promise<void>} run
 */
async function online(run) {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    reveal("offline");
  } finally {
    schedule();
  }
}

async function look() {
  clearTimeout(nextLook);
  const asked = generation;
  await online(async () => {
    const response = await fetch(address(), { headers: { "X-Console": "live" } });
    const page = await response.text();
    if (isSignIn(response)) signIn();
    // The chat is gone: the reloaded page says so.
    else if (response.redirected || response.status === 404) location.reload();
    else if (!response.ok) reveal("offline");
    else if (asked === generation) show(page, false);
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function send(form, submitter) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter))
    if (typeof value === "string") body.append(name, value);
  // Not `disabled`, because a disabled button loses the focus.
  if (form.hasAttribute("aria-busy")) return;
  form.setAttribute("aria-busy", "true");
  generation += 1;
  await online(async () => {
    const response = await fetch(form.action, { method: "POST", body, referrer: address() });
    const page = await response.text();
    generation += 1;
    if (isSignIn(response)) return signIn();
    // The response need not be a page. What was typed stays.
    if (!response.ok) return reveal("offline");
    if (response.redirected) history.replaceState(null, "", response.url);
    show(page, true);
    keepFocus(submitter);
    if (document.querySelector("#notice [data-tone=bad]") === null) settle(form, page);
  }).finally(() => form.removeAttribute("aria-busy"));
}

/** @param {Response} response */
function isSignIn(response) {
  return response.redirected && new URL(response.url).pathname === "/console/sign-in";
}

/** The session has ended. What is typed would be lost with the page, so the sign-in opens in another tab. */
function signIn() {
  const isTyped = [...document.querySelectorAll("textarea, input")].some(
    (field) =>
      (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) &&
      field.value !== field.defaultValue,
  );
  if (isTyped) reveal("signed-out");
  else location.reload();
}

/**
 * The pressed button may be gone, and the focus with it. Moves the focus to the next likely control.
 * @param {HTMLElement | null} submitter
 */
function keepFocus(submitter) {
  if (submitter === null || submitter.isConnected) return;
  const places = ["#composer:not([hidden]) textarea", "#actions button", "#main"];
  const next = places.map((place) => document.querySelector(place)).find((found) => found !== null);
  if (next instanceof HTMLElement) next.focus();
}

/**
 * Clears the form after success and gives it a new idempotency key.
 * @param {HTMLFormElement} form
 * @param {string} text a whole page
 */
function settle(form, text) {
  if (form.dataset["clear"] === undefined) return;
  form.reset();
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const field of form.querySelectorAll("[data-fresh]"))
    field.setAttribute("value", page.getElementById(field.id)?.getAttribute("value") ?? "");
}

/**
 * @param {string} text a whole page
 * @param {boolean} afterAction true if the page answers an action, so that its notice is shown
 */
function show(text, afterAction) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const scroller = document.getElementById("scroller");
  const focused = document.activeElement;
  const wasAtEnd =
    scroller !== null && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 40;
  /** @param {Element} part */
  const beforeNodeMorphed = (part) => afterAction || part.id !== "notice";
  Idiomorph.morph(document.body, page.body, { callbacks: { beforeNodeMorphed, beforeAttributeUpdated } });
  document.title = page.title;
  // An element that moves in a list loses the focus.
  if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement)
    focused.focus({ preventScroll: true });
  if (wasAtEnd) scrollToLatest();
}

/**
 * What the reader has opened, typed or chosen stays: the server renders closed `details` and initial values. So do
 * the idempotency key of an unsent form, and the mark of a form that is being sent.
 * @param {string} name
 * @param {Element} element
 */
function beforeAttributeUpdated(name, element) {
  if (name === "value") return !element.matches("input:not([type=hidden]), textarea, [data-fresh]");
  return !["open", "checked", "selected", "aria-busy"].includes(name);
}

function scrollToLatest() {
  const scroller = document.getElementById("scroller");
  if (scroller !== null) scroller.scrollTop = scroller.scrollHeight;
}

/** @param {string} id of a line that the next page hides again */
function reveal(id) {
  const line = document.getElementById(id);
  if (line !== null) line.hidden = false;
}
