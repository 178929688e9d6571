/** Checks URLs in steps. */
import { isStepwellError } from "../../errors.ts";
import { checkUrl } from "../../net/check-request.ts";
import { parseWebUrl } from "../../net/web-url.ts";
import type { StepCompiler } from "../compile/step-implementation.ts";
import { hasTemplate } from "../expressions/template.ts";
import { StepError } from "../step-error.ts";

/** Normalizes a URL. Accepts only what the guarded fetch accepts, whichever client loads it. */
export function normalizeUrl(text: string): string {
  const url = parseWebUrl(text);
  if (url === null) {
    throw new StepError("address_refused", `${JSON.stringify(text.slice(0, 200))} is not a valid URL.`);
  }
  return checkUrl(url).href;
}

/** Reports a URL without expressions that could never be fetched, when the version is deployed. */
export function checkStepUrl(url: string, compiler: StepCompiler): void {
  if (hasTemplate(url)) return;
  compiler.whenDeployed(async () => {
    const message = problemOf(url);
    return message === null ? [] : [{ path: ["url"], message }];
  });
}

function problemOf(url: string): string | null {
  try {
    normalizeUrl(url);
    return null;
  } catch (error) {
    if (!(error instanceof StepError || isStepwellError(error, "address_refused"))) throw error;
    return `${error.message} Use a URL that starts with http:// or https://, or an expression such as "{{ input.url }}".`;
  }
}
