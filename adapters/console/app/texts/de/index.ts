/** The German texts. */
import type { Messages } from "../language.ts";
import { canvas } from "./canvas.ts";
import { codeEditor } from "./code-editor.ts";
import { collections } from "./collections.ts";
import { common } from "./common.ts";
import { connections } from "./connections.ts";
import { editor } from "./editor.ts";
import { files } from "./files.ts";
import { frame } from "./frame.ts";
import { keys } from "./keys.ts";
import { overview } from "./overview.ts";
import { records } from "./records.ts";
import { reference } from "./reference.ts";
import { schedules } from "./schedules.ts";
import { session } from "./session.ts";
import { settings } from "./settings.ts";
import { statuses } from "./statuses.ts";
import { versions } from "./versions.ts";
import { webhooks } from "./webhooks.ts";
import { workflows } from "./workflows.ts";

export const de: Messages = {
  versions,
  workflows,
  editor,
  canvas,
  codeEditor,
  collections,
  common,
  connections,
  files,
  frame,
  keys,
  overview,
  records,
  reference,
  schedules,
  session,
  settings,
  statuses,
  webhooks,
};
