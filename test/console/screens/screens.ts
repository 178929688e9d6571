/** All screens of the console, as people meet them: by their addresses, and with what opens over them. */
import type { Page } from "playwright-core";
import type { ScreenIds } from "./screens-server.ts";

export interface Screen {
  readonly name: string;
  /** Below `/console`. */
  readonly path: (ids: ScreenIds) => string;
  /** What a person does there first. */
  readonly open?: (page: Page) => Promise<void>;
  /** Who is signed in. @default an app's key */
  readonly as?: "admin" | "nobody";
  /** The part whose accessibility tree counts. The frame is the same around all. @default "main" */
  readonly part?: "body" | "dialog";
}

const inApp =
  (path: (ids: ScreenIds) => string) =>
  (ids: ScreenIds): string =>
    `/apps/${ids.app}${path(ids)}`;

const click = (role: "button" | "tab", name: string) => async (page: Page) => {
  await page.getByRole(role, { name }).first().click();
};

export const SCREENS: readonly Screen[] = [
  { name: "sign-in", path: () => "/", as: "nobody" },
  { name: "apps", path: () => "/apps", as: "admin" },
  { name: "overview", path: inApp(() => ""), part: "body" },
  { name: "command-menu", path: inApp(() => ""), open: (page) => page.keyboard.press("Control+k"), part: "dialog" },
  { name: "workflows", path: inApp(() => "/workflows") },
  { name: "editor-canvas", path: inApp(({ loan }) => `/workflows/${loan}`) },
  {
    name: "editor-step",
    path: inApp(({ loan }) => `/workflows/${loan}?step=size`),
    open: (page) => page.getByText("Taken with the values").waitFor(),
  },
  { name: "editor-outline", path: inApp(({ loan }) => `/workflows/${loan}?view=outline&step=start`) },
  { name: "editor-json", path: inApp(({ loan }) => `/workflows/${loan}?view=json`) },
  {
    name: "editor-deploy",
    path: inApp(({ quick }) => `/workflows/${quick}`),
    open: click("button", "Deploy"),
    part: "dialog",
  },
  { name: "new-run", path: inApp(({ loan }) => `/workflows/${loan}/new-run`) },
  { name: "versions", path: inApp(({ loan }) => `/workflows/${loan}/versions`) },
  { name: "version", path: inApp(({ loan }) => `/workflows/${loan}/versions/1`) },
  { name: "difference", path: inApp(({ quick }) => `/workflows/${quick}/versions/1...draft`) },
  { name: "runs", path: inApp(() => "/runs") },
  { name: "runs-failed", path: inApp(() => "/runs?status=failed") },
  { name: "run-failed", path: inApp(({ failedRun }) => `/runs/${failedRun}?step=fetch`) },
  { name: "run-waiting", path: inApp(({ waitingRun }) => `/runs/${waitingRun}?step=size`) },
  { name: "run-loop", path: inApp(({ batchRun }) => `/runs/${batchRun}?step=items`) },
  { name: "run-hostile", path: inApp(({ hostileTextRun }) => `/runs/${hostileTextRun}?step=text`) },
  { name: "inbox", path: inApp(({ waitingRun }) => `/inbox/${waitingRun}/approve`) },
  { name: "files", path: inApp(() => "/files") },
  { name: "file", path: inApp(({ file }) => `/files/${file}`) },
  { name: "upload-address", path: inApp(() => "/uploads/new") },
  { name: "collections", path: inApp(() => "/collections") },
  { name: "records", path: inApp(({ collection }) => `/collections/${collection}`) },
  { name: "record", path: inApp(({ collection, record }) => `/collections/${collection}/records/${record}`) },
  { name: "collection-settings", path: inApp(({ collection }) => `/collections/${collection}/settings`) },
  { name: "tags", path: inApp(() => "/tags") },
  { name: "schedules", path: inApp(() => "/schedules") },
  { name: "schedule", path: inApp(({ schedule }) => `/schedules/${schedule}`) },
  { name: "webhooks", path: inApp(() => "/webhooks") },
  { name: "webhook", path: inApp(({ webhook }) => `/webhooks/${webhook}`) },
  { name: "connections", path: inApp(() => "/connections") },
  { name: "keys", path: inApp(() => "/keys") },
  { name: "reference", path: () => "/docs" },
  { name: "operation", path: () => "/docs/runs.create" },
  { name: "settings", path: () => "/settings" },
  { name: "shortcuts", path: () => "/shortcuts" },
  { name: "not-found", path: inApp(() => "/nothing-here") },
];
