/** The German texts. */
import type { Messages } from "../language.ts";
import { common } from "./common.ts";
import { frame } from "./frame.ts";
import { overview } from "./overview.ts";
import { runs } from "./runs.ts";
import { session } from "./session.ts";
import { settings } from "./settings.ts";
import { statuses } from "./statuses.ts";

export const de: Messages = { common, frame, overview, runs, session, settings, statuses };
