/** The German texts. */
import type { Messages } from "../language.ts";
import { canvas } from "./canvas.ts";
import { codeEditor } from "./code-editor.ts";
import { collections } from "./collections.ts";
import { common } from "./common.ts";
import { connections } from "./connections.ts";
import { editor } from "./editor.ts";
import { expressions } from "./expressions.ts";
import { files } from "./files.ts";
import { forms } from "./forms.ts";
import { frame } from "./frame.ts";
import { inputFields } from "./input-fields.ts";
import { keys } from "./keys.ts";
import { overview } from "./overview.ts";
import { records } from "./records.ts";
import { reference } from "./reference.ts";
import { run } from "./run.ts";
import { runs } from "./runs.ts";
import { schedules } from "./schedules.ts";
import { session } from "./session.ts";
import { settings } from "./settings.ts";
import { statuses } from "./statuses.ts";
import { steps } from "./steps.ts";
import { versions } from "./versions.ts";
import { webhooks } from "./webhooks.ts";
import { workflows } from "./workflows.ts";

export const de: Messages = {
  canvas,
  codeEditor,
  collections,
  common,
  connections,
  editor,
  expressions,
  files,
  forms,
  frame,
  inputFields,
  keys,
  overview,
  records,
  reference,
  run,
  runs,
  schedules,
  session,
  settings,
  statuses,
  steps,
  versions,
  webhooks,
  workflows,
};
