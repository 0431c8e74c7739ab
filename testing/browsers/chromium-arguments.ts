/** Command-line arguments of every Chromium under test. */

/** Playwright 1.65 disables these itself. Chromium reads only the last `--disable-features`. */
const disabledByPlaywright = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** Each new window renders these two pages of the address bar, for half a second of CPU time. */
const addressBarPages = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];

export const chromiumArguments: readonly string[] = [
  // Chromium's sandbox does not work for root.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  `--disable-features=${[...disabledByPlaywright, ...addressBarPages].join(",")}`,
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
