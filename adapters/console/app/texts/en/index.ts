/** The English texts, by the folder that shows them. */
import { common } from "./common.ts";
import { frame } from "./frame.ts";
import { overview } from "./overview.ts";
import { runs } from "./runs.ts";
import { session } from "./session.ts";
import { settings } from "./settings.ts";
import { statuses } from "./statuses.ts";

export const en = { common, frame, overview, runs, session, settings, statuses };
