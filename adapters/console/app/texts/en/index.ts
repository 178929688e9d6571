/** The English texts, by the folder that shows them. */
import { codeEditor } from "./code-editor.ts";
import { collections } from "./collections.ts";
import { common } from "./common.ts";
import { connections } from "./connections.ts";
import { expressions } from "./expressions.ts";
import { files } from "./files.ts";
import { forms } from "./forms.ts";
import { frame } from "./frame.ts";
import { inputFields } from "./input-fields.ts";
import { keys } from "./keys.ts";
import { overview } from "./overview.ts";
import { records } from "./records.ts";
import { runs } from "./runs.ts";
import { schedules } from "./schedules.ts";
import { session } from "./session.ts";
import { settings } from "./settings.ts";
import { statuses } from "./statuses.ts";
import { steps } from "./steps.ts";
import { webhooks } from "./webhooks.ts";

export const en = {
  codeEditor,
  collections,
  common,
  connections,
  expressions,
  files,
  forms,
  frame,
  inputFields,
  keys,
  overview,
  records,
  runs,
  schedules,
  session,
  settings,
  statuses,
  steps,
  webhooks,
};
