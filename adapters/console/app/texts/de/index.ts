/** The German texts. */
import type { Messages } from "../language.ts";
import { codeEditor } from "./code-editor.ts";
import { common } from "./common.ts";
import { expressions } from "./expressions.ts";
import { frame } from "./frame.ts";
import { overview } from "./overview.ts";
import { session } from "./session.ts";
import { settings } from "./settings.ts";
import { statuses } from "./statuses.ts";

export const de: Messages = { codeEditor, common, expressions, frame, overview, session, settings, statuses };
