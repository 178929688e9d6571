/** A Cloudflare Worker: the program of examples/deployment/README.md, with settings for tests. */
import { DurableObject } from "cloudflare:workers";
import { createStepwell } from "stepwell";
import { createInlineSandbox } from "stepwell/sandbox/inline";
import wasm from "stepwell/sandbox/quickjs.wasm";

export class Workflows extends DurableObject {
  constructor(state, env) {
    super(state, env);
    this.stepwell = createStepwell({
      baseUrl: "https://example.com",
      adminKey: env.ADMIN_KEY,
      net: { allow: [env.ALLOWED] },
      ...(env.SANDBOX === "inline" && { sandbox: createInlineSandbox({ wasm }) }),
    });
  }

  fetch(request) {
    return this.stepwell.fetch(request);
  }
}

export default {
  fetch: (request, env) => env.WORKFLOWS.getByName(new URL(request.url).hostname).fetch(request),
};
