/** The screens by their addresses. Each is loaded when it is first shown. */
import { type ComponentType, createElement, use } from "react";
import { StartScreen } from "./apps/start-screen.tsx";
import { NotFoundScreen } from "./frame/not-found-screen.tsx";
import { part } from "./loading/part.tsx";
import { matchPath, type Params } from "./routing/match.ts";
import type { ScreenProps, Section } from "./routing/screen-props.ts";

type Screen = ComponentType<ScreenProps>;

interface Loaded {
  readonly Screen: Screen;
  /** Loads the files of the screen, if they are not loaded yet. */
  readonly load: () => Promise<unknown>;
  readonly isLoaded: () => boolean;
}

/** Unlike with `lazy`, a screen whose files are loaded never waits. */
function loaded(read: () => Promise<{ readonly default: Screen }>): Loaded {
  let Found: Screen | null = null;
  let reading: Promise<Screen> | undefined;
  const load = () => {
    reading ??= read()
      // What cannot be loaded says so in its place, and is tried again there.
      .then(({ default: file }) => file)
      .catch(() => part(read))
      .then((screen) => {
        Found = screen;
        return screen;
      });
    return reading;
  };
  return { load, isLoaded: () => Found !== null, Screen: (props) => createElement(Found ?? use(load()), props) };
}

interface Address extends Partial<Loaded> {
  readonly path: string;
  /** The section that the navigation marks. */
  readonly section: Section | null;
  readonly Screen: Screen;
  /** Of a list beside what it opens: it stays drawn from one of its addresses to the next. @default false */
  readonly isList?: boolean;
}

const APP = "/apps/{app}";
const INBOX = { section: "inbox", isList: true, ...loaded(() => import("./inbox/inbox-screen.tsx")) } as const;

const ADDRESSES: readonly Address[] = [
  { path: "/", section: null, Screen: StartScreen },
  { path: "/settings", section: null, ...loaded(() => import("./settings/settings-screen.tsx")) },
  { path: "/shortcuts", section: null, ...loaded(() => import("./shortcuts/shortcuts-screen.tsx")) },
  { path: "/docs", section: null, ...loaded(() => import("./reference/reference-screen.tsx")) },
  { path: "/docs/{operation}", section: null, ...loaded(() => import("./reference/reference-screen.tsx")) },
  { path: "/apps", section: null, ...loaded(() => import("./apps/apps-screen.tsx")) },
  { path: `${APP}/runs/{run}`, section: "runs", ...loaded(() => import("./run/run-screen.tsx")) },
  { path: APP, section: "overview", ...loaded(() => import("./overview/overview-screen.tsx")) },
  { path: `${APP}/runs`, section: "runs", ...loaded(() => import("./runs/runs-screen.tsx")) },
  {
    path: `${APP}/connections`,
    section: "connections",
    ...loaded(() => import("./connections/connections-screen.tsx")),
  },
  { path: `${APP}/files`, section: "files", ...loaded(() => import("./files/files-screen.tsx")) },
  { path: `${APP}/files/{file}`, section: "files", ...loaded(() => import("./files/file-screen.tsx")) },
  { path: `${APP}/uploads/new`, section: "files", ...loaded(() => import("./files/upload-address-screen.tsx")) },
  { path: `${APP}/uploads/{file}`, section: "files", ...loaded(() => import("./files/upload-screen.tsx")) },
  { path: `${APP}/tags`, section: "collections", ...loaded(() => import("./tags/tags-screen.tsx")) },
  {
    path: `${APP}/collections`,
    section: "collections",
    ...loaded(() => import("./collections/collections-screen.tsx")),
  },
  {
    path: `${APP}/collections/{collection}`,
    section: "collections",
    ...loaded(() => import("./records/records-screen.tsx")),
  },
  {
    path: `${APP}/collections/{collection}/settings`,
    section: "collections",
    ...loaded(() => import("./collections/settings-screen.tsx")),
  },
  {
    path: `${APP}/collections/{collection}/records/{record}`,
    section: "collections",
    ...loaded(() => import("./records/record-screen.tsx")),
  },
  { path: `${APP}/webhooks`, section: "webhooks", ...loaded(() => import("./webhooks/webhooks-screen.tsx")) },
  {
    path: `${APP}/webhooks/{webhook}`,
    section: "webhooks",
    ...loaded(() => import("./webhooks/webhook-screen.tsx")),
  },
  { path: `${APP}/schedules`, section: "schedules", ...loaded(() => import("./schedules/schedules-screen.tsx")) },
  {
    path: `${APP}/schedules/{schedule}`,
    section: "schedules",
    ...loaded(() => import("./schedules/schedule-screen.tsx")),
  },
  {
    path: `${APP}/workflows/{workflow}/new-run`,
    section: "workflows",
    ...loaded(() => import("./new-run/new-run-screen.tsx")),
  },
  { path: `${APP}/inbox`, ...INBOX },
  { path: `${APP}/inbox/{run}/{step}`, ...INBOX },
  { path: `${APP}/workflows`, section: "workflows", ...loaded(() => import("./workflows/workflows-screen.tsx")) },
  {
    path: `${APP}/workflows/{workflow}`,
    section: "workflows",
    ...loaded(() => import("./editor/editor-screen.tsx")),
  },
  {
    path: `${APP}/workflows/{workflow}/versions`,
    section: "workflows",
    ...loaded(() => import("./versions/versions-screen.tsx")),
  },
  {
    path: `${APP}/workflows/{workflow}/versions/{version}`,
    section: "workflows",
    ...loaded(() => import("./versions/version-screen.tsx")),
  },
  { path: `${APP}/keys`, section: "keys", ...loaded(() => import("./keys/keys-screen.tsx")) },
];

export interface Found {
  readonly Screen: Screen;
  readonly params: Params;
  readonly section: Section | null;
  /** The same for addresses between which the screen stays drawn. */
  readonly key: string;
}

export function screenAt(path: string): Found {
  for (const { path: template, section, Screen, isList = false } of ADDRESSES) {
    const params = matchPath(template, path);
    if (params !== null) return { Screen, params, section, key: isList ? `${section} ${params["app"]}` : path };
  }
  const params = matchPath(APP, path.split("/").slice(0, 3).join("/")) ?? {};
  return { Screen: NotFoundScreen, params, section: null, key: path };
}

/** Loads the files of the screen of an address: while somebody is about to open it. Opening it says if they are gone. */
const addressAt = (path: string) => ADDRESSES.find(({ path: template }) => matchPath(template, path) !== null);

export async function preloadScreen(path: string): Promise<void> {
  await addressAt(path)?.load?.();
}

/** Whether the screen of a path can be drawn at once. */
export const isScreenLoaded = (path: string): boolean => addressAt(path)?.isLoaded?.() ?? true;
