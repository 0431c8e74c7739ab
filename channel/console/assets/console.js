// @ts-check
/**
 * Keeps the page up to date and submits its forms without a reload. Without this script every page and form of the
 * console still works, with full page loads.
 *
 * The server renders whole pages. This page takes the nodes of a newer one, one by one, so that focus, scroll position,
 * opened details and unfinished input stay.
 */

/* global Idiomorph: loaded before this script (`layout.ts`) */

const pause = 2_000;

/** The requests of this page, one after the other: no answer is older than the one before. */
let queue = Promise.resolve();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let nextLook;

schedule();
document.addEventListener("visibilitychange", look);

document.addEventListener("input", ({ target }) => {
  if (target instanceof Element) markEdited(target);
});
// Typed before this script was there, or restored by the browser.
for (const field of document.querySelectorAll("textarea"))
  if (field.value !== field.defaultValue) markEdited(field);

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.closest("main") === null) return;
  event.preventDefault();
  // Not `disabled`, because a disabled button loses the focus.
  if (form.hasAttribute("aria-busy")) return;
  form.setAttribute("aria-busy", "true");
  inTurn(() => send(form));
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

/** @param {Element} field whose form no update may change */
function markEdited(field) {
  field.closest("form")?.setAttribute("data-edited", "");
}

function schedule() {
  clearTimeout(nextLook);
  nextLook = setTimeout(look, pause);
}

function look() {
  if (!document.hidden)
    inTurn(async () => {
      const page = await ask(location.href, { headers: { "X-Console": "live" } });
      if (page !== undefined) show(page, false);
    });
}

/** @param {() => Promise<void>} run */
function inTurn(run) {
  queue = queue
    .then(run)
    .catch(() => reveal("offline"))
    .then(schedule);
}

/**
 * Returns the page that answers. Without one, says why: what was typed stays.
 * @param {string} url
 * @param {RequestInit} init
 */
async function ask(url, init) {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (response.status === 401) return reveal("signed-out");
  // The chat or its channel is gone: the reloaded page says so.
  if (response.status === 404 && document.querySelector("[data-edited]") === null) return location.reload();
  if (page.querySelector("#main") === null) return reveal("offline");
  if (response.redirected) history.replaceState(null, "", response.url);
  return page;
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const focused = document.activeElement;
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  try {
    const page = await ask(form.action, { method: "POST", body: new URLSearchParams(fields) });
    if (page === undefined) return;
    if (page.querySelector("#problem") === null) {
      form.reset();
      form.removeAttribute("data-edited");
    }
    show(page, true);
  } finally {
    form.removeAttribute("aria-busy");
  }
  if (focused?.isConnected) return;
  // The pressed button is gone, and the focus with it.
  const next = document.querySelector("main textarea") ?? document.querySelector("#actions button");
  if (next instanceof HTMLElement) next.focus();
}

/**
 * What the reader has opened stays, as does a form that is being filled in, with its idempotency key.
 * @param {Document} page
 * @param {boolean} afterAction true if the page answers an action, whose problem a later one keeps
 */
function show(page, afterAction) {
  const focused = document.activeElement;
  /** @param {Node} node */
  const mayChange = (node) =>
    !(node instanceof Element && node.matches(afterAction ? "[data-edited]" : "[data-edited], #problem"));
  Idiomorph.morph(document.body, page.body, {
    callbacks: {
      beforeNodeMorphed: mayChange,
      beforeNodeRemoved: mayChange,
      // Opened by the reader, or a form that is being sent.
      beforeAttributeUpdated: (/** @type {string} */ name) => name !== "open" && name !== "aria-busy",
    },
  });
  document.title = page.title;
  // An element that moves in a list loses the focus.
  if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement)
    focused.focus({ preventScroll: true });
}

/** @param {string} id of a line that the next page hides again */
function reveal(id) {
  const line = document.getElementById(id);
  if (line !== null) line.hidden = false;
}
