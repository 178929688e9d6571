/** The English texts, by the folder that shows them. */
import { canvas } from "./canvas.ts";
import { common } from "./common.ts";
import { frame } from "./frame.ts";
import { overview } from "./overview.ts";
import { run } from "./run.ts";
import { session } from "./session.ts";
import { settings } from "./settings.ts";
import { statuses } from "./statuses.ts";

export const en = { canvas, common, frame, overview, run, session, settings, statuses };
