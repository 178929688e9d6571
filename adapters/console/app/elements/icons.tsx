/** Signs, drawn in the colour of the text. They repeat what stands beside them, so that no one needs to see them. */

/** Paths on a grid of 16 by 16. */
const PATHS = {
  overview: "M2.5 7.5 8 3l5.5 4.5V13a.5.5 0 0 1-.5.5H3a.5.5 0 0 1-.5-.5z",
  workflows: "M5.5 2.5h5v3h-5zM2 10.5h4.5v3H2zM9.5 10.5H14v3H9.5zM8 5.5V8M4.25 10.5V8h7.5v2.5",
  runs: "M4.5 3v10l8-5z",
  inbox: "M2 9.5 4 3h8l2 6.5V13H2zM2 9.5h3.5l1 1.5h3l1-1.5H14",
  files: "M4 1.5h5L12.5 5v9.5H4zM9 1.5V5h3.5",
  collections: "M2 3.5h12v9H2zM2 6.5h12M6 6.5v6",
  schedules: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.5V8l2.5 1.5",
  webhooks: "M6 9.5 8.5 5a2.5 2.5 0 1 0-3 .5M10 8.5l2 3.5a2.3 2.3 0 1 1-3 .5M4.5 8.5a2.6 2.6 0 1 0 2 4h4",
  connections:
    "M6.5 9.5a2.5 2.5 0 0 0 3.5 0l2.5-2.5A2.5 2.5 0 0 0 9 3.5L8 4.5M9.5 6.5a2.5 2.5 0 0 0-3.5 0L3.5 9A2.5 2.5 0 0 0 7 12.5l1-1",
  keys: "M10.5 2a3.5 3.5 0 1 1-3 5.3L2.5 12.5V14H5v-1.5h1.5V11H8l.9-.9M11 5h.01",
  apps: "M2.5 2.5h4.5V7H2.5zM9 2.5h4.5V7H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z",
  settings: "M2 4.5h6M11 4.5h3M8 3v3M2 11.5h3M8 11.5h6M5 10v3",
  reference:
    "M3 2.5h4A1.5 1.5 0 0 1 8 3v10.5M13 2.5H9.5A1.5 1.5 0 0 0 8 4M3 2.5V12h4a1 1 0 0 1 1 1.5 1 1 0 0 1 1-1.5h4V2.5",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5 14 14",
  close: "m3.5 3.5 9 9M12.5 3.5l-9 9",
  check: "m3 8.5 3.5 3.5L13 4.5",
  cross: "m4 4 8 8M12 4l-8 8",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  clock: "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 5v3l2 1.5",
  person: "M8 2.5a2.75 2.75 0 1 1 0 5.5 2.75 2.75 0 0 1 0-5.5zM2.5 14a5.5 5.5 0 0 1 11 0",
  circle: "M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z",
  skip: "M3 8h10M9.5 4.5 13 8l-3.5 3.5",
  stop: "M4 4h8v8H4z",
  spinner: "M8 2.5A5.5 5.5 0 1 1 2.5 8",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  chevronDown: "m4 6 4 4 4-4",
  chevronRight: "m6 4 4 4-4 4",
  chevronLeft: "m10 4-4 4 4 4",
  arrowUp: "M8 13V3M4 7l4-4 4 4",
  arrowDown: "M8 3v10M4 9l4 4 4-4",
  undo: "M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7",
  redo: "m10 3 3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h3",
  copy: "M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3",
  download: "M8 2v8M4.5 6.5 8 10l3.5-3.5M2.5 13.5h11",
  upload: "M8 10V2M4.5 5.5 8 2l3.5 3.5M2.5 13.5h11",
  trash: "M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.5 9h7l.5-9",
  edit: "M10.5 2.5 13.5 5.5 5.5 13.5H2.5v-3z",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z",
  sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  help: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM6 6.2A2 2 0 1 1 8 8.3V9.5M8 11.8h.01",
  note: "M3 2.5h10v7l-4 4H3zM13 9.5H9v4",
  input: "M2.5 4h11v8h-11zM5 6.5v3",
  branch: "M8 2 13.5 8 8 14 2.5 8z",
  code: "m5.5 4.5-3.5 3.5 3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
  http_request: "M2 6h12M14 6l-3-3M14 10H2M2 10l3 3",
  browser: "M2 3h12v10H2zM2 6h12M4 4.5h.01",
  workflow: "M2.5 3h5v4h-5zM8.5 9h5v4h-5zM5 7v4h3.5",
  service:
    "M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM8 2v2M8 12v2M2 8h2M12 8h2M4 4l1.2 1.2M10.8 10.8 12 12M12 4l-1.2 1.2M4 12l1.2-1.2",
  model: "M8 2l1.5 4.5L14 8l-4.5 1.5L8 14l-1.5-4.5L2 8l4.5-1.5z",
  loop: "M3 8a5 5 0 0 1 9-3l1 1M13 3v3h-3M13 8a5 5 0 0 1-9 3l-1-1M3 13v-3h3",
  connect: "M2.5 2.5h5v4h-5zM5 6.5V9a2 2 0 0 0 2 2h6M10.5 8.5 13 11l-2.5 2.5",
  link: "M9 3h4v4M13 3 7 9M11 9v4H3V5h4",
  error: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 5v3.5M8 11h.01",
  warning: "M8 2.5 14 13.5H2zM8 6.5v3M8 11.5h.01",
  bolt: "M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z",
  tag: "M2.5 2.5h5l6 6-5 5-6-6zM5 5h.01",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  tidyUp: "M2.5 2.5v11M5 4h8.5v3H5zM5 9h5.5v3H5z",
  history: "M3 8a5 5 0 1 1 1.5 3.5M3 11.5v-3h3M8 5v3l2 1.5",
} as const;

export type IconName = keyof typeof PATHS;

/** Point to where reading goes on or came from, so they point to the other side where it goes from right to left. */
const DIRECTIONAL: ReadonlySet<IconName> = new Set(["chevronLeft", "chevronRight", "undo", "redo", "skip"]);

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      className={DIRECTIONAL.has(name) ? "icon directional" : "icon"}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
