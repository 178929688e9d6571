/** Mounts the web console, if the host has one. */
import type { Apps } from "../apps/apps.ts";
import type { Keys } from "../apps/keys.ts";
import type { IdentifySession } from "../calls/session-identity.ts";
import { createConsole, type HasConsole, noConsole } from "../console/console.ts";
import type { SignInFunctions } from "../console/sign-in.ts";
import { StepwellError } from "../errors.ts";
import { mountPath } from "../http/request-path.ts";
import type { Options } from "../options/options.ts";
import type { Base } from "./storage.ts";

export function composeConsole(
  base: Base,
  parts: { apps: Apps; keys: Keys; options: Options },
): HasConsole & { identifySession: IdentifySession | undefined; createSignIn: SignInFunctions["createSignIn"] } {
  const { apps, keys, options } = parts;
  if (options.console === undefined) {
    return {
      identifySession: undefined,
      console() {
        throw noConsole();
      },
      async createSignIn() {
        throw new StepwellError("not_configured", noConsole().message);
      },
    };
  }
  const { adminKey } = options;
  const mount = mountPath(base.baseUrl);
  const mounted = createConsole(options.console, { ...base, apps, keys, adminKey, mount });
  return { console: () => mounted, identifySession: mounted.identify, createSignIn: mounted.createSignIn };
}
