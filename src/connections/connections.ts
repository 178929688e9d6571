/** Connections: create, change and delete them, and decrypt them for the actions of their service. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { deleteAllListed, listPage, marksOf, type PageQuery, updateDocument } from "../documents/documents.ts";
import { bothOf, checkRevision, nextRevision, withRevision } from "../documents/expected-version.ts";
import { foldText, type Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { isStepwellError, notFound, StepwellError } from "../errors.ts";
import { type JsonObject, omitUndefined } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Encrypted, Secrets } from "../ports/secrets.ts";
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
   * @throws StepwellError `invalid` for a service without connections, and with a JSON Pointer for each invalid credential;
   * `not_configured` if the option `secret` is not set
   */
  create(appId: string, input: ConnectionCreate, receipt: Receipt): Promise<Connection>;
  list(appId: string, query: ConnectionsQuery): Promise<Page<Connection>>;
  /** @throws StepwellError `not_found` */
  get(appId: string, connectionId: string): Promise<Connection>;
  /** The connections with these ids, in this order; null for an id that the app does not have. */
  find(appId: string, connectionIds: readonly string[]): Promise<readonly (Connection | null)[]>;
  /**
   * @param revisions Revisions of which the connection must have one; undefined for any.
   * @throws StepwellError `precondition_failed`
   */
  update(
    appId: string,
    connectionId: string,
    input: ConnectionUpdate,
    revisions?: readonly number[],
  ): Promise<Connection>;
  /**
   * Deletes a connection. Steps that use it fail from now on.
   * @param alsoCommit Changes to commit with it.
   * @throws StepwellError `precondition_failed` if it has none of the revisions
   */
  remove(
    appId: string,
    connectionId: string,
    revisions?: readonly number[],
    alsoCommit?: readonly Change[],
  ): Promise<void>;
  /** Deletes all connections of a deleted app. */
  deleteAll(appId: string, isStopped: () => boolean): Promise<void>;
  readonly open: OpenConnection;
}

/**
 * Decrypts the credentials of a connection for an action of its service. Called with every attempt, so that changes take
 * effect at once.
 *
 * @param publicCredentials Fields of the credentials that are not hidden.
 * @throws StepwellError `not_found`; `invalid` if it belongs to another service, or no longer matches the service's schema;
 * `not_configured` if it was encrypted with an unknown secret
 */
export type OpenConnection = (
  appId: string,
  connectionId: string,
  service: string,
  publicCredentials?: readonly string[],
) => Promise<OpenedConnection>;

export interface OpenedConnection {
  /** The output of the service's schema. */
  readonly credentials: unknown;
  /** Replaces the credentials in a text that people can read. */
  hide(text: string): string;
}

/** The schema of a service's credentials, or a message if it has none or does not exist. */
export type ConnectionSchema = (service: string) => StandardSchemaV1 | string;

/** The format of generated ids; steps and callers may pass anything. */
const CONNECTION_ID = /^con_[0-9a-z]{26}$/;
const listOf = (appId: string) => `connections.${appId}`;
const keyOf = (connectionId: string): Key => `connection:${connectionId}`;
const publicFields = ({ credentials: _, ...connection }: ConnectionDocument): Connection => withRevision(connection);
/** Binds a ciphertext to its connection, so that it cannot be moved within the storage. */
const boundTo = ({ id, app_id, service }: Connection) => JSON.stringify([app_id, service, id]);

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

  async function encrypt(connection: Connection, credentials: JsonObject): Promise<Encrypted> {
    const schema = schemaOf(connection.service);
    if (typeof schema === "string") throw invalid([{ pointer: "/service", message: schema }]);
    const checked = await checkCredentials(schema, credentials);
    if (!checked.ok) throw invalid(checked.errors);
    // Store the input of the schema: its output may not be JSON.
    return secrets.encrypt(JSON.stringify(credentials), boundTo(connection));
  }

  async function decrypt(document: ConnectionDocument): Promise<JsonObject> {
    try {
      return JSON.parse(await secrets.decrypt(document.credentials, boundTo(document))) as JsonObject; // encrypted above
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
      const times = { created_at: now, updated_at: now };
      const connection = { id: ids.next("con"), app_id: appId, name, service, revision: 1, ...times };
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

    update: (appId, connectionId, { name, credentials, expected_revision }, revisions) =>
      updateDocument<ConnectionDocument, Connection>(store, keyOf(connectionId), async (found) => {
        const { document: before, version } = requireOwn(found, appId, connectionId);
        const revision = nextRevision("connection", before, bothOf(expected_revision, revisions));
        const document: ConnectionDocument = {
          ...before,
          ...omitUndefined({ name, credentials: credentials && (await encrypt(before, credentials)) }),
          revision,
          updated_at: instant(clock.now()),
        };
        const change = { key: keyOf(connectionId), document, expected: version, rows: rowsOf(document) };
        return { changes: [change], result: publicFields(document) };
      }),

    remove: (appId, connectionId, revisions, alsoCommit = []) =>
      updateDocument<ConnectionDocument, void>(store, keyOf(connectionId), (found) => {
        const { document, version } = requireOwn(found, appId, connectionId);
        checkRevision("connection", document, revisions);
        return { changes: [deleteConnection(document, version), ...alsoCommit], result: undefined };
      }),

    deleteAll: (appId, isStopped) =>
      deleteAllListed<ConnectionDocument>(store, listOf(appId), keyOf, deleteConnection, isStopped),

    async open(appId, connectionId, service, publicCredentials = []) {
      const { document } = requireOwn(await find(connectionId), appId, connectionId);
      if (document.service !== service) {
        const message = `Connection ${connectionId} belongs to the service ${document.service}, not to ${service}.`;
        throw new StepwellError("invalid", message);
      }
      const schema = schemaOf(service);
      if (typeof schema === "string") throw new StepwellError("invalid", schema);
      const credentials = await decrypt(document);
      const checked = await checkCredentials(schema, credentials);
      if (checked.ok) {
        const secret = Object.entries(credentials).filter(([field]) => !publicCredentials.includes(field));
        return { credentials: checked.value, hide: createCredentialHider(Object.fromEntries(secret)) };
      }
      const problems = checked.errors.map(({ pointer, message }) => `${pointer}: ${message}`).join("; ");
      throw new StepwellError(
        "invalid",
        `Connection ${connectionId} no longer matches the schema of ${service}: ${problems}`,
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
  return { key: keyOf(id), document: null, expected: version, rows: [{ list: listOf(app_id), delete: id }] };
}
