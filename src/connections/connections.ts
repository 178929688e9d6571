/** Connections: made, changed and removed by an app, opened for the actions of their service. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { listPage, marksOf, type PageQuery, removeAllListed, updateDocument } from "../documents/documents.ts";
import { foldText, type Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { isStepwellError, notFound, StepwellError } from "../errors.ts";
import { type JsonObject, omitUndefined } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Sealed, Secrets } from "../ports/secrets.ts";
import type { Change, Key, Store, Stored } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import type { Connection, ConnectionCreate, ConnectionDocument, ConnectionUpdate } from "./connection.ts";
import { checkCredentials } from "./credentials.ts";
import { createCredentialHider } from "./hide-credentials.ts";

export interface ConnectionsQuery extends PageQuery {
  readonly service?: string | undefined;
}

export interface Connections {
  /**
   * @throws StepwellError `invalid` for a service that needs no connection, and with a pointer for each credential that is
   * wrong; `not_configured` when the host gave no secret
   */
  create(appId: string, input: ConnectionCreate, receipt: Receipt): Promise<Connection>;
  list(appId: string, query: ConnectionsQuery): Promise<Page<Connection>>;
  /** @throws StepwellError `not_found` */
  get(appId: string, connectionId: string): Promise<Connection>;
  /** The connections with these ids, in this order; null where the app has none. */
  find(appId: string, connectionIds: readonly string[]): Promise<readonly (Connection | null)[]>;
  update(appId: string, connectionId: string, input: ConnectionUpdate): Promise<Connection>;
  /** Steps that use it fail from now on. */
  remove(appId: string, connectionId: string): Promise<void>;
  /** Removes all connections of an app that is no more. */
  removeAll(appId: string): Promise<void>;
  readonly open: OpenConnection;
}

/**
 * The credentials of a connection, for an action of its service. Asked for with every call: what was changed or removed
 * counts at once.
 *
 * @throws StepwellError `not_found`; `invalid` when it belongs to another service, or when the service takes something else
 * by now; `not_configured` when it was encrypted with a secret that is not known
 */
export type OpenConnection = (appId: string, connectionId: string, service: string) => Promise<OpenedConnection>;

export interface OpenedConnection {
  /** What the schema of the service made of them. */
  readonly credentials: unknown;
  /** A text without them, for those who read of the run. */
  hide(text: string): string;
}

/** What a service asks of its connections; a sentence where it asks for none, or is not there. */
export type ConnectionSchema = (service: string) => StandardSchemaV1 | string;

/** As they are made: what a step or a caller names may be anything. */
const CONNECTION_ID = /^con_[0-9a-z]{26}$/;
const listOf = (appId: string) => `connections.${appId}`;
const keyOf = (connectionId: string): Key => `connection:${connectionId}`;
const publicFields = ({ credentials: _, ...connection }: ConnectionDocument): Connection => connection;
/** What credentials can be opened for, wherever in the storage they are put. */
const aboutOf = ({ id, app_id, service }: Connection) => JSON.stringify([app_id, service, id]);

function rowsOf({ id, app_id, name, service }: Connection) {
  return [{ list: listOf(app_id), put: { id, text: foldText(name), marks: [`service:${service}`] } }];
}

export function createConnections(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  secrets: Secrets;
  schemaOf: ConnectionSchema;
}): Connections {
  const { store, clock, ids, secrets, schemaOf } = parts;

  async function encrypt(connection: Connection, credentials: JsonObject): Promise<Sealed> {
    const schema = schemaOf(connection.service);
    if (typeof schema === "string") throw invalid([{ pointer: "/service", message: schema }]);
    const checked = await checkCredentials(schema, credentials);
    if (!checked.ok) throw invalid(checked.errors);
    // As they were given: what the schema makes of them need not be JSON.
    return secrets.seal(JSON.stringify(credentials), aboutOf(connection));
  }

  async function decrypt(document: ConnectionDocument): Promise<JsonObject> {
    try {
      return JSON.parse(await secrets.open(document.credentials, aboutOf(document))) as JsonObject; // what was sealed above
    } catch (error) {
      if (!isStepwellError(error, "not_configured")) throw error;
      const what = `The credentials of connection ${document.id} cannot be decrypted.`;
      throw new StepwellError("not_configured", `${what} ${error.message}`);
    }
  }

  const find = async (connectionId: string) =>
    CONNECTION_ID.test(connectionId) ? store.get<ConnectionDocument>(keyOf(connectionId)) : null;

  return {
    async create(appId, { name, service, credentials }, receipt) {
      const now = instant(clock.now());
      const connection = { id: ids.next("con"), app_id: appId, name, service, created_at: now, updated_at: now };
      const document: ConnectionDocument = { ...connection, credentials: await encrypt(connection, credentials) };
      const change = { key: keyOf(connection.id), document, rows: rowsOf(connection) };
      await store.commit([change, ...receipt(connection)]);
      return connection;
    },

    list: (appId, { service, ...query }) =>
      listPage<ConnectionDocument, Connection>(
        store,
        listOf(appId),
        { ...query, marks: marksOf("service", service) },
        keyOf,
        publicFields,
      ),

    get: async (appId, connectionId) =>
      publicFields(requireOwn(await find(connectionId), appId, connectionId).document),

    find: (appId, connectionIds) =>
      Promise.all(
        connectionIds.map(async (id) => {
          const found = await find(id);
          return found?.document.app_id === appId ? publicFields(found.document) : null;
        }),
      ),

    update: (appId, connectionId, { name, credentials }) =>
      updateDocument<ConnectionDocument, Connection>(store, keyOf(connectionId), async (found) => {
        const { document: before, version } = requireOwn(found, appId, connectionId);
        const document: ConnectionDocument = {
          ...before,
          ...omitUndefined({ name, credentials: credentials && (await encrypt(before, credentials)) }),
          updated_at: instant(clock.now()),
        };
        const change = { key: keyOf(connectionId), document, expected: version, rows: rowsOf(document) };
        return { changes: [change], result: publicFields(document) };
      }),

    remove: (appId, connectionId) =>
      updateDocument<ConnectionDocument, void>(store, keyOf(connectionId), (found) => {
        const { document, version } = requireOwn(found, appId, connectionId);
        return { changes: [deleteConnection(document, version)], result: undefined };
      }),

    removeAll: (appId) => removeAllListed<ConnectionDocument>(store, listOf(appId), keyOf, deleteConnection),

    async open(appId, connectionId, service) {
      const { document } = requireOwn(await find(connectionId), appId, connectionId);
      if (document.service !== service) {
        const message = `Connection ${connectionId} belongs to the service ${document.service}, not to ${service}.`;
        throw new StepwellError("invalid", message);
      }
      const schema = schemaOf(service);
      if (typeof schema === "string") throw new StepwellError("invalid", schema);
      const credentials = await decrypt(document);
      const checked = await checkCredentials(schema, credentials);
      if (checked.ok) return { credentials: checked.value, hide: createCredentialHider(credentials) };
      const told = checked.errors.map(({ pointer, message }) => `${pointer}: ${message}`).join("; ");
      throw new StepwellError(
        "invalid",
        `Connection ${connectionId} no longer matches the schema of ${service}: ${told}`,
      );
    },
  };
}

function requireOwn(
  found: Stored<ConnectionDocument> | null,
  appId: string,
  connectionId: string,
): Stored<ConnectionDocument> {
  if (found === null || found.document.app_id !== appId) throw notFound("connection", connectionId);
  return found;
}

function deleteConnection({ id, app_id }: ConnectionDocument, version: number): Change {
  return { key: keyOf(id), document: null, expected: version, rows: [{ list: listOf(app_id), take: id }] };
}
