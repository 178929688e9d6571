/** Creates clients: most functions come from the generated table of routes, the rest from the other files of this folder. */
import type { RecordFunctions, RecordsApi } from "../api/records-api.ts";
import type { Stepwell } from "../create.ts";
import type { Job } from "../jobs/job.ts";
import type { Run } from "../runs/run.ts";
import { CALL_OPTIONS, CLIENT_OPTIONS, checkOptions } from "./check-options.ts";
import type { ApiGroups, CallOptions, Client, ClientOptions } from "./client.ts";
import { createConnection, joined } from "./connection.ts";
import { createRecordTransfers } from "./record-transfers.ts";
import { ROUTES } from "./routes.ts";
import { createAppStream, createRunEvents } from "./streams/streams.ts";
import { tableFunctions } from "./table-functions.ts";
import { rowOf } from "./table-row.ts";
import { waitUntilEnded } from "./wait-until-ended.ts";

/**
 * Creates a client of a Stepwell server, for browsers and servers. Its functions are those of `stepwell.*`, with the
 * same arguments, results and errors; pass the type of the server's instance to check service steps and triggers
 * against it. A call that gets no response, or one that is not Stepwell's, rejects with the StepwellError `unavailable`.
 *
 * @throws StepwellError `invalid` for a URL that is missing or is not one, and for an unknown or invalid option
 * @example
 * ```ts
 * const client = createClient({ url: "https://example.com/automation", key });
 * const run = await client.runs.create("me", workflowId, { input: { n: 21 } });
 * const { output } = await client.runs.wait("me", run.id);
 * ```
 */
export function createClient<Host extends ApiGroups = Stepwell>(options: ClientOptions): Client<Host>;
export function createClient(options: ClientOptions): PlainClient {
  const given = options ?? {}; // without types, they may be missing
  checkOptions(CLIENT_OPTIONS, given);
  return clientOf(given, {});
}

/** A client of a host whose services and triggers the compiler does not know. */
type PlainClient = Client<import("../api/api.ts").Api>;

function clientOf(options: ClientOptions, call: CallOptions): PlainClient {
  const connection = createConnection(options, call);
  const { me, uploads, ...groups } = tableFunctions(connection);
  // Loaded by the first call: a page that handles no files need not load them.
  const bytes = async () => (await import("./file-functions.ts")).createFileFunctions(connection, groups.files.get);
  return {
    ...groups,
    apps: { ...groups.apps, stream: createAppStream(connection) },
    runs: {
      ...groups.runs,
      wait: waitUntilEnded<Run>(connection, rowOf(ROUTES.runs, "get")),
      events: createRunEvents(connection),
    },
    jobs: {
      ...groups.jobs,
      wait: waitUntilEnded<Job>(connection, rowOf(ROUTES.jobs, "get")),
    },
    records: acceptTypedData({ ...groups.records, ...createRecordTransfers(connection) }),
    files: {
      ...groups.files,
      createUpload: uploads.create,
      receive: async (...given) => (await bytes()).receive(...given),
      create: async (...given) => (await bytes()).create(...given),
      content: async (...given) => (await bytes()).content(...given),
    },
    me: me.get,
    with(more) {
      checkOptions(CALL_OPTIONS, more);
      return clientOf(options, { ...call, ...more, headers: joined(call.headers, more.headers) });
    },
  };
}

/** The functions of records, which callers may give data of any type that is JSON: the server checks its values. */
function acceptTypedData(records: RecordFunctions): RecordsApi;
function acceptTypedData(records: RecordFunctions): RecordFunctions {
  return records;
}
