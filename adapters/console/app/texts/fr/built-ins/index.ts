import type { BuiltInTexts } from "../../built-in-texts.ts";
import { services } from "./services.ts";
import { triggers, triggerTypes } from "./triggers.ts";

export const builtIns: BuiltInTexts = { services, triggerTypes, triggers };
