/** Icons on a 24-unit grid, in the text colour. Decorative: a button's label or a text carries the name. */

import { Drawing } from "./drawing.tsx";

export const iconPaths = {
  close: "m6.5 6.5 11 11m0-11-11 11",
  more: "M12 6.25v.5M12 11.75v.5M12 17.25v.5",
  send: "M12 19V5.5m0 0L6.5 11M12 5.5l5.5 5.5",
  stop: "M8 8h8v8H8z",
  attach:
    "m18.5 11.5-6.7 6.7a4 4 0 0 1-5.65-5.65l7.05-7.05a2.7 2.7 0 0 1 3.8 3.8l-6.95 6.95a1.3 1.3 0 0 1-1.85-1.85l6.2-6.2",
  camera:
    "M4.5 8.25c0-.7.55-1.25 1.25-1.25H8l1.5-2h5L16 7h2.25c.7 0 1.25.55 1.25 1.25v9c0 .7-.55 1.25-1.25 1.25H5.75c-.7 0-1.25-.55-1.25-1.25v-9ZM12 15.75a3.25 3.25 0 1 0 0-6.5 3.25 3.25 0 0 0 0 6.5Z",
  down: "m6.5 9.5 5.5 5.5 5.5-5.5",
  check: "m5.5 12.5 4.25 4.25L18.5 8",
  clock: "M12 7.5V12l3 2m5-2a8 8 0 1 1-16 0 8 8 0 0 1 16 0Z",
  warning:
    "M12 9.5v3.75m0 2.75v.01M10.6 5.3 3.9 16.9A1.6 1.6 0 0 0 5.3 19.25h13.4a1.6 1.6 0 0 0 1.4-2.35L13.4 5.3a1.6 1.6 0 0 0-2.8 0Z",
  enlarge: "M14 5h5v5M10 19H5v-5",
  plus: "M12 5.5v13M5.5 12h13",
} as const;

export type IconName = keyof typeof iconPaths;

export function Icon({ name, size }: { name: IconName; size?: number }) {
  return <Drawing path={iconPaths[name]} size={size} />;
}
