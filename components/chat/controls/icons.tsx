/** Icons on a 24-unit grid, in the text colour. Decorative: a button's label or a text carries the name. */

import { Drawing } from "./drawing.tsx";

const iconPaths = {
  close: "m6.5 6.5 11 11m0-11-11 11",
  more: "M12.75 6a.75.75 0 1 1-1.5 0 .75.75 0 0 1 1.5 0Zm0 6a.75.75 0 1 1-1.5 0 .75.75 0 0 1 1.5 0Zm0 6a.75.75 0 1 1-1.5 0 .75.75 0 0 1 1.5 0Z",
  search: "m19 19-4-4m1.5-4.5a6 6 0 1 1-12 0 6 6 0 0 1 12 0Z",
  send: "M12 19V5.5m0 0L6.5 11M12 5.5l5.5 5.5",
  stop: "M7.5 7.5h9v9h-9z",
  attach: "m18.5 11-7 7a4 4 0 0 1-5.5-5.5l7-7a2.7 2.7 0 0 1 4 4l-7 7A1.3 1.3 0 0 1 8 14.5l6-6",
  camera: "M4 7.5h4l1.5-2.5h5L16 7.5h4V19H4zm11 5.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z",
  down: "m6.5 9.5 5.5 5.5 5.5-5.5",
  check: "m5.5 12.5 4.25 4.25L18.5 8",
  clock: "M12 7.5V12l3 2m5-2a8 8 0 1 1-16 0 8 8 0 0 1 16 0Z",
  warning: "M12 9.5v4m0 2.5v.01M12 4.5l8.5 15h-17z",
  enlarge: "M14 5h5v5M10 19H5v-5",
  plus: "M12 5.5v13M5.5 12h13",
  file: "M6.5 4h7l4 4v12h-11zm7 0v4h4",
  thumb: "M7.5 11v8.5M4.5 11h3L11 4.5c1.5 0 2.5 1 2.5 2.5l-.5 3.5h6.5l-1.5 9H4.5z",
  star: "m12 4 2.5 5 5.5.8-4 3.9.9 5.5-4.9-2.6-4.9 2.6.9-5.5-4-3.9 5.5-.8z",
  source: "M6.5 4h7l4 4v12h-11zm7 0v4h4m-8 4.5h5m-5 3.5h5",
  picture: "M4.5 5h15v14h-15zm4 4.5v.01M5 17l4.5-4.5 3 3 2.5-2.5 4 4",
  person: "M12 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-7 8c.6-3.4 3.3-5 7-5s6.4 1.6 7 5",
  box: "m4.5 8 7.5-4 7.5 4v8l-7.5 4-7.5-4V8Zm0 0 7.5 4 7.5-4M12 12v8",
  wrench:
    "M14.6 6.3a4.2 4.2 0 0 0-5.4 5.4l-4.5 4.5a1.9 1.9 0 0 0 2.7 2.7l4.5-4.5a4.2 4.2 0 0 0 5.4-5.4l-2.6 2.6-2.2-.5-.5-2.2 2.6-2.6Z",
  phone: "M8.5 4.5h-4c0 8.5 6.5 15 15 15v-4L16 14l-2 2a10 10 0 0 1-6-6l2-2z",
  store:
    "M4 9l1.5-4.5h13L20 9a2.7 2.7 0 0 1-5.3 0 2.7 2.7 0 0 1-5.4 0A2.7 2.7 0 0 1 4 9m1 3v7.5h14V12m-9 7.5V15h4v4.5",
  history: "M4.5 5v4h4M5 12.5A7 7 0 1 0 6.5 7L4.5 9M12 8.5V12l2.5 1.5",
  download: "M12 4.75V15m0 0-4.25-4.25M12 15l4.25-4.25M5 18.75h14",
  bell: "M12 4.5a5 5 0 0 0-5 5c0 4-1.75 5.25-1.75 6h13.5c0-.75-1.75-2-1.75-6a5 5 0 0 0-5-5Zm-1.75 14a1.9 1.9 0 0 0 3.5 0",
  sound: "M4.5 9.5v5h3.5l4.5 3.5V6L8 9.5zm11 0a3.5 3.5 0 0 1 0 5m2.25-7.25a6.75 6.75 0 0 1 0 9.5",
  print: "M7.5 9V4.5h9V9m-9 8h-3V9h15v8h-3m-9-3h9v5.5h-9z",
  back: "m14.5 6.5-5.5 5.5 5.5 5.5",
  forward: "m9.5 6.5 5.5 5.5-5.5 5.5",
  edit: "M5 19v-4L15.5 4.5l4 4L9 19zm8-12 4 4",
  trash: "M5 7h14M10 7V4.5h4V7m-7.25 0 .75 12.5h9L17.25 7",
} as const;

export type IconName = keyof typeof iconPaths;

export function Icon({ name, size }: { name: IconName; size?: number }) {
  const isDirected = name === "back" || name === "forward";
  return <Drawing path={iconPaths[name]} size={size} data-directed={isDirected || undefined} />;
}
