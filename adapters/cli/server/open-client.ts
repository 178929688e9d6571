/** The client of a command. */
import { type Client, createClient } from "../../../src/client/index.ts";
import type { Api } from "../../../src/index.ts";
import { omitUndefined } from "../../../src/json.ts";
import type { Given } from "../command.ts";
import type { Shell } from "../terminal/shell.ts";
import { findServer, type ServerAddress } from "./find-server.ts";

/** A client that does not know the services of the server. */
export type CliClient = Client<Api>;

/** In paths, the app of the key. */
export const OWN_APP = "me";

/** A person waits: a server that is not there must be reported soon. */
const RETRIES = 2;
/** A command that has begun to follow a run keeps following it, even while the server restarts. */
export const PATIENT_RETRIES = 12;

export function clientOf({ url, key }: ServerAddress, signal?: AbortSignal, retries = RETRIES): CliClient {
  const client: CliClient = createClient<Api>({ url, retries, ...omitUndefined({ key }) });
  return signal === undefined ? client : client.with({ signal });
}

export async function openClient(given: Given, shell: Shell, retries?: number): Promise<CliClient> {
  return clientOf(await findServer(given, shell), shell.signal, retries);
}
