/** Maps each step type to its implementation. */
import type { StepType } from "../../workflows/step.ts";
import type { StepImplementation } from "../compile/step-implementation.ts";
import { branch } from "./branch.ts";
import { browser } from "./browser.ts";
import { code } from "./code.ts";
import { httpRequest } from "./http-request.ts";
import { input } from "./input.ts";
import { model } from "./model.ts";
import { note } from "./note.ts";
import { service } from "./service.ts";
import { workflow } from "./workflow.ts";

export const STEP_IMPLEMENTATIONS: { readonly [Type in StepType]: StepImplementation<Type> } = {
  note,
  input,
  branch,
  code,
  http_request: httpRequest,
  workflow,
  model,
  browser,
  service,
};
