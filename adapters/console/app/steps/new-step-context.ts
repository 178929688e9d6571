/** How a field of a step asks for a new one that comes next. The owner of the draft adds and connects it. */
import { createContext } from "react";
import type { Way } from "../editor/draft/ways.ts";

/** null: no steps can be added here. */
export const NewStepContext = createContext<((way: Way) => void) | null>(null);
