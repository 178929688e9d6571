/** The Japanese texts. */
import { isolating } from "../isolate.ts";
import type { Messages } from "../messages.ts";
import { addStep } from "./building/add-step.ts";
import { canvas } from "./building/canvas.ts";
import { codeEditor } from "./building/code-editor.ts";
import { editor } from "./building/editor.ts";
import { expressions } from "./building/expressions.ts";
import { inputFields } from "./building/input-fields.ts";
import { steps } from "./building/steps.ts";
import { versions } from "./building/versions.ts";
import { workflows } from "./building/workflows.ts";
import { collections } from "./data/collections.ts";
import { connections } from "./data/connections.ts";
import { files } from "./data/files.ts";
import { keys } from "./data/keys.ts";
import { records } from "./data/records.ts";
import { schedules } from "./data/schedules.ts";
import { webhooks } from "./data/webhooks.ts";
import { frame } from "./frame/frame.ts";
import { general } from "./frame/general.ts";
import { reference } from "./frame/reference.ts";
import { session } from "./frame/session.ts";
import { settings } from "./frame/settings.ts";
import { shortcuts } from "./frame/shortcuts.ts";
import { forms } from "./running/forms.ts";
import { inbox } from "./running/inbox.ts";
import { newRun } from "./running/new-run.ts";
import { overview } from "./running/overview.ts";
import { run } from "./running/run.ts";
import { runs } from "./running/runs.ts";
import { statuses } from "./running/statuses.ts";

export const ja: Messages = isolating({
  addStep,
  canvas,
  codeEditor,
  collections,
  connections,
  editor,
  expressions,
  files,
  forms,
  frame,
  general,
  inbox,
  inputFields,
  keys,
  newRun,
  overview,
  records,
  reference,
  run,
  runs,
  schedules,
  session,
  settings,
  shortcuts,
  statuses,
  steps,
  versions,
  webhooks,
  workflows,
});
