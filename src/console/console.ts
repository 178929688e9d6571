/** The web console: its page, its sessions, and addresses that sign in. */

import type { VerifiedKey } from "../calls/identify-bearer.ts";
import { createIdentifyBearer } from "../calls/identify-bearer.ts";
import type { IdentifySession } from "../calls/session-identity.ts";
import { StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Document, Key, Store } from "../ports/store.ts";
import type { ConsoleApps, ConsoleKeys } from "./apps-and-keys.ts";
import { createSessionCookie } from "./cookie.ts";
import { createHostSessions } from "./host-session.ts";
import { createIdentify } from "./identify.ts";
import { createPages, type Pages } from "./pages.ts";
import { createSessions } from "./sessions.ts";
import { createSignInFunctions, type SignInFunctions } from "./sign-in.ts";
import type { WebConsole } from "./web-console.ts";

/** The console of a host that has one. */
export interface MountedConsole extends Pages, SignInFunctions {
  /** Mount path, empty for none. */
  readonly mount: string;
  /** For all routes: a request without a key may have a session. */
  readonly identify: IdentifySession;
}

export interface HasConsole {
  /** @throws StepwellError `not_found` if the host has no console */
  readonly console: () => MountedConsole;
}

export interface ConsoleParts {
  readonly apps: ConsoleApps;
  readonly keys: ConsoleKeys & { verify(token: string): Promise<VerifiedKey | null> };
  readonly watches: {
    watch<T extends Document>(key: Key, controller: AbortController): Promise<T | null>;
    end(key: Key): void;
  };
  readonly adminKey: string | undefined;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Path of `baseUrl`, without a trailing slash. */
  readonly mount: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hash: Hash;
}

export function createConsole(console: WebConsole, parts: ConsoleParts): MountedConsole {
  const { apps, adminKey = "", baseUrl, mount, hash } = parts;
  const { origin, protocol } = new URL(baseUrl);
  const name = `stepwell-${hash.sha256(baseUrl).slice(0, 12)}`;
  const cookie = createSessionCookie({ name, mount, isSecure: protocol === "https:" });
  const sessions = createSessions({ ...parts, adminDigest: adminKey === "" ? "" : hash.sha256(adminKey) });
  const hostSessions = createHostSessions({ ...parts, session: console.session });
  const { find, identify } = createIdentify({ ...parts, sessions, hostSessions, cookie, origin });
  const identifyBearer = createIdentifyBearer(parts);
  const functions = createSignInFunctions({
    ...{ ...parts, sessions, find, cookie, apps, identifyBearer, origin },
    signIn: console.signIn,
    workflowFiles: console.workflowFiles,
  });
  return { ...createPages({ console, mount, hash }), ...functions, mount, identify };
}

export function noConsole(): StepwellError {
  const message = "This host has no console. It needs the option `console: webConsole()`, from stepwell/console.";
  return new StepwellError("not_found", message);
}
