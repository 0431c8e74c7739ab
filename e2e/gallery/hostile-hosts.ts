/** Pages that make it hard to be a guest: what real hosts do, each reduced to what matters to the chat. */

export interface HostileHost {
  name: string;
  css?: string;
  /** HTML of the body; `$chat` stands for the chat. */
  body?: string;
  /** Run in the page before the chat is opened. */
  script?: string;
  /** The page's own button opens the chat, because the chat's is below the page's modal dialog. */
  opener?: string;
  /** The chat is a dialog above the page's. */
  isModal?: true;
}

const plain = '<main><h1>A shop</h1><input aria-label="Search"></main>$chat';

/** Effects of a modal dialog of Radix besides drawing: no pointer events, and the focus stays inside. */
const focusTrap = (event: string) => `
  document.body.style.pointerEvents = "none";
  const trap = document.querySelector("#trap");
  const back = (target) => target instanceof Node && !trap.contains(target) && trap.querySelector("button").focus();
  document.addEventListener("focusin", ({ target }) => back(target));
  ${event === "focusout" ? 'document.addEventListener("focusout", ({ relatedTarget }) => back(relatedTarget));' : ""}
  trap.querySelector("button").focus();`;
const withTrap = `${plain}<div id="trap" role="dialog" aria-label="Cart"><button>Pay</button></div>`;

export const hostileHosts: readonly HostileHost[] = [
  { name: "plain" },
  {
    name: "modal dialog",
    body: `${plain}<dialog aria-label="Quick view"><button data-shop-chat-open="Is it warm?">Ask</button></dialog>`,
    script: 'document.querySelector("dialog[aria-label]").showModal();',
    opener: "Ask",
    isModal: true,
  },
  {
    name: "modal dialog in a shadow tree",
    body: `${plain}<div id="shop"></div>`,
    script: `const tree = document.querySelector("#shop").attachShadow({ mode: "open" });
      tree.innerHTML = '<dialog><button data-shop-chat-open="Is it warm?">Ask</button></dialog>';
      tree.querySelector("dialog").showModal();`,
    opener: "Ask",
    isModal: true,
  },
  {
    name: "backdrops of every dialog and popover",
    css: "::backdrop, dialog::backdrop, [popover]::backdrop { background: #000; }",
  },
  { name: "focus trap of Bootstrap", body: withTrap, script: focusTrap("focusin") },
  { name: "focus trap of Radix", body: withTrap, script: focusTrap("focusout"), isModal: true },
  { name: "transform on the body", css: "body { transform: translateZ(0); min-block-size: 3000px; }" },
  {
    name: "filter on a wrapper",
    css: "#wrap { filter: none; } #wrap { filter: contrast(1.01); block-size: 3000px; }",
    body: `<div id="wrap">${plain}</div>`,
  },
  {
    name: "bars above everything",
    css: "#bar { position: fixed; inset: auto 0 0; block-size: 40%; background: #ddd; z-index: 2147483647; }",
    body: `${plain}<div id="bar">Cookies</div>`,
  },
  {
    name: "clipped wrapper",
    css: "#wrap { overflow: clip; contain: paint; block-size: 200px; opacity: 0.5; }",
    body: `<div id="wrap">${plain}</div>`,
  },
  {
    name: "reset",
    css: "*, *::before { margin: 0; padding: 0; box-sizing: content-box; font: inherit; } button { all: unset; } div { display: none; }",
  },
  { name: "all unset", css: "* { all: unset; }" },
  { name: "root of 62.5 %", css: "html { font-size: 62.5%; }" },
  {
    name: "root of 40 px",
    css: "html { font-size: 40px; } body { font: italic small-caps 700 40px / 3 'Times New Roman'; }",
  },
  {
    name: "inherited properties",
    css: `body { -webkit-text-fill-color: red; -webkit-text-stroke: 1px red; user-select: none; word-break: break-all;
      hyphens: auto; font-variant: small-caps; font-feature-settings: "smcp"; font-kerning: none; cursor: crosshair;
      caret-color: red; line-break: anywhere; quotes: "x" "y"; text-align-last: center; text-align: center;
      text-transform: uppercase; letter-spacing: 4px; word-spacing: 9px; tab-size: 1; text-indent: 3em;
      pointer-events: none; white-space: pre; text-shadow: 1px 1px red; border-collapse: collapse; orphans: 9;
      list-style: square inside; text-wrap: balance; hanging-punctuation: first; text-rendering: geometricPrecision;
      overflow-wrap: anywhere; text-emphasis: dot; font-stretch: expanded; font-optical-sizing: none; fill: red;
      stroke: red; stroke-width: 9px; paint-order: stroke; -webkit-font-smoothing: antialiased; }`,
  },
];
