/** The client of a command. */

import { type Client, createClient } from "../../../src/client/index.ts";
import type { Api } from "../../../src/index.ts";
import { omitUndefined } from "../../../src/json.ts";
import type { Given } from "../command.ts";
import { printMessage, type Shell } from "../terminal/shell.ts";
import { findServer, type ServerAddress } from "./find-server.ts";
import { type Fetch, waitingFetch } from "./waiting-fetch.ts";

/** A client that does not know the services of the server. */
export type CliClient = Client<Api>;

/** In paths, the app of the key. */
export const OWN_APP = "me";

/** A person waits: a server that is not there must be reported soon. */
const RETRIES = 2;
/** A command that has begun to follow a run keeps following it, even while the server restarts. */
export const PATIENT_RETRIES = 12;

interface Settings {
  readonly signal?: AbortSignal;
  readonly retries?: number;
  /** Receives a line when the server is silent. @default none */
  readonly onNotice?: (text: string) => void;
  /** For whom the client acts. @default nobody */
  readonly user?: string;
}

export function clientOf(
  { url, key }: ServerAddress,
  { signal, retries = RETRIES, onNotice, user }: Settings = {},
): CliClient {
  const waiting = onNotice === undefined ? undefined : waitingFetch({ onNotice, isPatient: retries > RETRIES });
  const send = user === undefined ? waiting : actingFor(user, waiting ?? fetch);
  const client: CliClient = createClient<Api>({ url, retries, ...omitUndefined({ key, fetch: send }) });
  return signal === undefined ? client : client.with({ signal });
}

function actingFor(user: string, send: Fetch): Fetch {
  return (url, init) => {
    const headers = new Headers(init.headers);
    headers.set("Stepwell-User", encodeURIComponent(user));
    return send(url, { ...init, headers });
  };
}

export async function openClient(
  given: Given,
  shell: Shell,
  settings: Omit<Settings, "signal"> = {},
): Promise<CliClient> {
  return shellClient(await findServer(given, shell), shell, settings);
}

/** A client that ends with the command, and says what it waits for. */
export function shellClient(server: ServerAddress, shell: Shell, settings: Omit<Settings, "signal"> = {}): CliClient {
  return clientOf(server, { signal: shell.signal, onNotice: (text) => printMessage(shell, text), ...settings });
}
