/** The step type `browser`: reads a web page, rendered if the host has a browser, otherwise as sent by the server. */

import { httpStatusError } from "../../services/http/status-error.ts";
import { MINUTE_MS } from "../../time/units.ts";
import type { StepImplementation } from "../compile/step-implementation.ts";
import { isHtml } from "./fetch-page.ts";
import { checkStepUrl, normalizeUrl } from "./step-url.ts";
import { WITHOUT_BROWSER } from "./web-page.ts";

export const browser: StepImplementation<"browser"> = {
  compile(step, compiler) {
    const { pages } = compiler;
    const url = compiler.text(step.url, ["url"]);
    checkStepUrl(step.url, compiler);
    const selector = compiler.text(step.wait_for_selector ?? "", ["wait_for_selector"]);
    if (step.wait_for_selector !== undefined && !pages.areRendered) {
      compiler.problem(["wait_for_selector"], WITHOUT_BROWSER);
    }
    return {
      kind: "effect",
      maxAttempts: 3,
      timeoutMs: 2 * MINUTE_MS,
      input: (scope) => ({
        url: normalizeUrl(url(scope)),
        ...(step.wait_for_selector === undefined ? undefined : { wait_for_selector: selector(scope) }),
      }),
      async run(scope, { signal }, { now }) {
        const waitForSelector = step.wait_for_selector === undefined ? undefined : selector(scope);
        const page = await pages.open({ url: normalizeUrl(url(scope)), waitForSelector, signal });
        const { status, title, content, contentType, retryAfter, headers = {} } = page;
        if (status < 200 || status > 299) {
          throw httpStatusError(
            {
              url: page.url,
              status,
              retryAfter,
              headers,
              body: content,
              excerpt: isHtml(contentType) ? title : content,
            },
            now(),
          );
        }
        const isStripped = step.strip_html === true && isHtml(contentType);
        return { status, url: page.url, title, content: isStripped ? await pages.readable(page, signal) : content };
      },
    };
  },
};
