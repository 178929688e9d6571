/** The screens by their addresses. Each is loaded when it is first shown. */
import type { ComponentType } from "react";
import { StartScreen } from "./apps/start-screen.tsx";
import { NotFoundScreen } from "./frame/not-found-screen.tsx";
import { part } from "./loading/part.tsx";
import { matchPath, type Params } from "./routing/match.ts";
import type { ScreenProps, Section } from "./routing/screen-props.ts";

type Screen = ComponentType<ScreenProps>;

interface Address {
  readonly path: string;
  /** The section that the navigation marks. */
  readonly section: Section | null;
  readonly Screen: Screen;
}

const APP = "/apps/{app}";

const ADDRESSES: readonly Address[] = [
  { path: "/", section: null, Screen: StartScreen },
  { path: "/settings", section: null, Screen: part(() => import("./settings/settings-screen.tsx")) },
  { path: "/shortcuts", section: null, Screen: part(() => import("./shortcuts/shortcuts-screen.tsx")) },
  { path: "/docs", section: null, Screen: part(() => import("./reference/reference-screen.tsx")) },
  { path: "/docs/{operation}", section: null, Screen: part(() => import("./reference/reference-screen.tsx")) },
  { path: "/apps", section: null, Screen: part(() => import("./apps/apps-screen.tsx")) },
  { path: `${APP}/runs/{run}`, section: "runs", Screen: part(() => import("./run/run-screen.tsx")) },
  { path: APP, section: "overview", Screen: part(() => import("./overview/overview-screen.tsx")) },
  { path: `${APP}/runs`, section: "runs", Screen: part(() => import("./runs/runs-screen.tsx")) },
  {
    path: `${APP}/connections`,
    section: "connections",
    Screen: part(() => import("./connections/connections-screen.tsx")),
  },
  { path: `${APP}/files`, section: "files", Screen: part(() => import("./files/files-screen.tsx")) },
  { path: `${APP}/files/{file}`, section: "files", Screen: part(() => import("./files/file-screen.tsx")) },
  { path: `${APP}/uploads/new`, section: "files", Screen: part(() => import("./files/upload-address-screen.tsx")) },
  { path: `${APP}/tags`, section: "collections", Screen: part(() => import("./tags/tags-screen.tsx")) },
  {
    path: `${APP}/collections`,
    section: "collections",
    Screen: part(() => import("./collections/collections-screen.tsx")),
  },
  {
    path: `${APP}/collections/{collection}`,
    section: "collections",
    Screen: part(() => import("./records/records-screen.tsx")),
  },
  {
    path: `${APP}/collections/{collection}/settings`,
    section: "collections",
    Screen: part(() => import("./collections/settings-screen.tsx")),
  },
  {
    path: `${APP}/collections/{collection}/records/{record}`,
    section: "collections",
    Screen: part(() => import("./records/record-screen.tsx")),
  },
  { path: `${APP}/webhooks`, section: "webhooks", Screen: part(() => import("./webhooks/webhooks-screen.tsx")) },
  {
    path: `${APP}/webhooks/{webhook}`,
    section: "webhooks",
    Screen: part(() => import("./webhooks/webhook-screen.tsx")),
  },
  { path: `${APP}/schedules`, section: "schedules", Screen: part(() => import("./schedules/schedules-screen.tsx")) },
  {
    path: `${APP}/schedules/{schedule}`,
    section: "schedules",
    Screen: part(() => import("./schedules/schedule-screen.tsx")),
  },
  {
    path: `${APP}/workflows/{workflow}/new-run`,
    section: "workflows",
    Screen: part(() => import("./new-run/new-run-screen.tsx")),
  },
  { path: `${APP}/inbox`, section: "inbox", Screen: part(() => import("./inbox/inbox-screen.tsx")) },
  { path: `${APP}/inbox/{run}/{step}`, section: "inbox", Screen: part(() => import("./inbox/inbox-screen.tsx")) },
  { path: `${APP}/workflows`, section: "workflows", Screen: part(() => import("./workflows/workflows-screen.tsx")) },
  {
    path: `${APP}/workflows/{workflow}`,
    section: "workflows",
    Screen: part(() => import("./editor/editor-screen.tsx")),
  },
  {
    path: `${APP}/workflows/{workflow}/versions`,
    section: "workflows",
    Screen: part(() => import("./versions/versions-screen.tsx")),
  },
  {
    path: `${APP}/workflows/{workflow}/versions/{version}`,
    section: "workflows",
    Screen: part(() => import("./versions/version-screen.tsx")),
  },
  { path: `${APP}/keys`, section: "keys", Screen: part(() => import("./keys/keys-screen.tsx")) },
];

export interface Found {
  readonly Screen: Screen;
  readonly params: Params;
  readonly section: Section | null;
}

export function screenAt(path: string): Found {
  for (const { path: template, section, Screen } of ADDRESSES) {
    const params = matchPath(template, path);
    if (params !== null) return { Screen, params, section };
  }
  return { Screen: NotFoundScreen, params: matchPath(APP, path.split("/").slice(0, 3).join("/")) ?? {}, section: null };
}
