/** The services that are there without being given. DESIGN 5.5. */
import { files } from "./files.ts";
import { records } from "./records.ts";
import { rules } from "./rules.ts";
import { scheduler } from "./scheduler.ts";

export const BUILT_IN = [files, records, rules, scheduler] as const;
export type BuiltIn = (typeof BUILT_IN)[number];
