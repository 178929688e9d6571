/** The English texts, by the folder that shows them. */
import { canvas } from "./canvas.ts";
import { collections } from "./collections.ts";
import { common } from "./common.ts";
import { connections } from "./connections.ts";
import { files } from "./files.ts";
import { forms } from "./forms.ts";
import { frame } from "./frame.ts";
import { inbox } from "./inbox.ts";
import { keys } from "./keys.ts";
import { newRun } from "./new-run.ts";
import { overview } from "./overview.ts";
import { records } from "./records.ts";
import { reference } from "./reference.ts";
import { run } from "./run.ts";
import { runs } from "./runs.ts";
import { schedules } from "./schedules.ts";
import { session } from "./session.ts";
import { settings } from "./settings.ts";
import { shortcuts } from "./shortcuts.ts";
import { statuses } from "./statuses.ts";
import { webhooks } from "./webhooks.ts";

export const en = { canvas, collections, common, connections, files, forms, frame, inbox, keys, newRun, overview, records, reference, run, runs, schedules, session, settings, shortcuts, statuses, webhooks };
