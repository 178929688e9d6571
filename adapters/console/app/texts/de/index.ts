/** The German texts. */
import type { Messages } from "../messages.ts";
import { canvas } from "./canvas.ts";
import { collections } from "./collections.ts";
import { common } from "./common.ts";
import { connections } from "./connections.ts";
import { files } from "./files.ts";
import { frame } from "./frame.ts";
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
import { webhooks } from "./webhooks.ts";

export const de: Messages = {
  canvas,
  collections,
  common,
  connections,
  files,
  frame,
  keys,
  overview,
  records,
  runs,
  reference,
  schedules,
  run,
  session,
  settings,
  statuses,
  webhooks,
};
