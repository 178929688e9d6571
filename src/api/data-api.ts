/** The functions of `stepwell.*` for files, collections, triggers and tags. */
import type * as v from "valibot";
import type {
  Collection,
  CollectionCreate as CollectionCreateSchema,
  CollectionUpdate as CollectionUpdateSchema,
} from "../collections/collection.ts";
import type { Mapping } from "../collections/mapping.ts";
import type { RuleInput } from "../collections/rule.ts";
import type { Tag, TagCreate as TagCreateSchema, TagUpdate } from "../collections/tag.ts";
import type { TriggerDelivery } from "../collections/triggers/deliveries/delivery.ts";
import type { TriggerPolling } from "../collections/triggers/polling.ts";
import type { TriggerTest } from "../collections/triggers/test-trigger.ts";
import type {
  Trigger,
  TriggerChanges,
  TriggerInput,
  TriggerUpdate as TriggerUpdateSchema,
} from "../collections/triggers/trigger.ts";
import type { TriggerSignature } from "../collections/triggers/trigger-signatures.ts";
import type { TriggerTypeInfo } from "../collections/triggers/trigger-type-info.ts";
import type { Uses } from "../definitions/usage/uses.ts";
import type { Page } from "../documents/pagination.ts";
import type { File, FileUpdate } from "../files/file.ts";
import type { FileLink, FileLinkCreate } from "../files/file-links.ts";
import type { FileContent } from "../files/files.ts";
import type { ByteRange } from "../files/parse-range.ts";
import type { Visibility } from "../schema.ts";
import type { SignaturePut } from "../signatures/signature-settings.ts";
import type { Upload, UploadCreate } from "../uploads/upload.ts";
import type { Content } from "../uploads/uploads.ts";
import type {
  AllOptions,
  CollectionListOptions,
  DeliveryListOptions,
  FileListOptions,
  PageOptions,
  SearchOptions,
  UsedRemovalOptions,
} from "./list-options.ts";

/** A new file that Stepwell fetches from a URL. */
export interface FileFromUrl {
  /** An http: or https: URL. Stepwell refuses addresses that the option `net` does not permit. */
  url: string;
  /** File name, 1 to 255 characters. @default the name that the server sends, or the last segment of the URL */
  name?: string;
  /** `PUBLIC` files can be downloaded without an API key. @default PRIVATE */
  visibility?: Visibility;
  /** Idempotency key: calls with the same key return the same file. 1 to 1,024 characters. @default none */
  key?: string;
  /** Aborts the call: the promise rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/** A new file from bytes in memory. */
export interface FileCreate {
  /** File name, 1 to 255 characters. Stepwell replaces characters that are unsafe in file names. */
  name: string;
  /**
   * The bytes of the file, or a stream of them such as `blob.stream()`. They are not copied: change none before the promise
   * resolves.
   */
  body: Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * Media type, such as `text/csv; charset=iso-8859-5`. The type is used if neither content nor name reveals it, the encoding to
   * read the text. @default none
   */
  type?: string;
  /** `PUBLIC` files can be downloaded without an API key. @default PRIVATE */
  visibility?: Visibility;
  /** Idempotency key: calls with the same key return the same file. 1 to 1,024 characters. @default none */
  key?: string;
}

/** Files, upload URLs and links. */
export interface FilesApi {
  /**
   * Creates an upload URL, which accepts one file without an API key.
   * @param input `expires_in` is in seconds, by default 86,400 (24 hours); `max_size` is in bytes, by default
   * `limits.fileBytes`.
   * @throws StepwellError `invalid` for a `max_size` above `limits.fileBytes`
   */
  createUpload(appId: string, input?: UploadCreate): Promise<Upload>;
  /**
   * Uploads the file of an upload URL in process. A failed upload doesn't use the URL up.
   * @param upload The `upload_url`, or the id at its end.
   * @throws StepwellError `upload_used`; `upload_expired`; `too_large`; `unsupported_media_type` if the type of the
   * content is not allowed. Also rejects with an error of the body, and with the reason of `signal`.
   */
  receive(upload: string, content: Content): Promise<File>;
  /**
   * Creates a file of any type from bytes, from a stream, or from a URL that Stepwell fetches.
   * @throws StepwellError for a URL: `address_refused`; `fetch_failed` if the server does not respond with a file;
   * `too_large` above `limits.fileBytes`
   */
  create(appId: string, input: FileCreate | FileFromUrl): Promise<File>;
  /**
   * Extracts the text of a document: PDF, Office and OpenDocument, HTML, e-mail, CSV or plain text.
   * @throws StepwellError `unsupported_media_type` for other types; `too_large` if the document exceeds a limit of the
   * extractor
   */
  text(
    appId: string,
    fileId: string,
    options?: {
      /** Aborts the extraction: the promise rejects with the reason of the signal. */
      signal?: AbortSignal;
    },
  ): Promise<string>;
  /** Lists the files of an app, newest first. */
  list(appId: string, options?: FileListOptions): Promise<Page<File>>;
  /** Iterates over all files, as {@link list} lists them, page by page. */
  listAll(appId: string, options?: AllOptions<FileListOptions>): AsyncIterable<File>;
  /** Returns the metadata of a file. */
  get(appId: string, fileId: string): Promise<File>;
  /**
   * Updates the name, visibility or expiry. Omitted fields keep their values; `expires_at: null` removes the expiry.
   */
  update(appId: string, fileId: string, input: FileUpdate): Promise<File>;
  /**
   * Creates a link that downloads a file without an API key.
   * @param input `expires_in` is in seconds, by default 3,600 (1 hour), at most 2,592,000 (30 days).
   */
  createLink(appId: string, fileId: string, input?: FileLinkCreate): Promise<FileLink>;
  /**
   * Returns the metadata and bytes of a file.
   * @param range Bytes from `start` (inclusive) to `end` (exclusive), counted from 0. @default the whole file
   */
  content(appId: string, fileId: string, range?: ByteRange): Promise<FileContent>;
  /**
   * Deletes a file and its bytes. A download in progress may be cut off. Records that refer to it show `file: null`.
   */
  remove(appId: string, fileId: string): Promise<void>;
}

/** Rules, mappings and indexes of a collection. */
export interface CollectionConfigCreate {
  /** Rules: workflows that check each written record, at most 500. @default [] */
  rules?: readonly RuleInput[];
  /** Mappings: fields to copy when a record is written, in order. @default [] */
  mappings?: readonly Mapping[];
  /**
   * Indexed fields, as `entity:field`, at most 16. The time to sort and filter by them does not grow with the number of
   * records. Stepwell builds a new index in the background; `index_states` shows its progress.
   * @default []
   */
  indexes?: readonly string[];
}
/**
 * A new collection. Only `name` is required.
 * @example { "name": "Loans", "description": "Applications of this year" }
 */
export interface CollectionCreate extends v.InferInput<typeof CollectionCreateSchema> {
  /** Rules, mappings and indexes. @default {} */
  config?: CollectionConfigCreate;
  /** Triggers, which create records from external events, at most 500. @default [] */
  triggers?: readonly TriggerInput[];
}
/** Changes to a collection. Omitted fields keep their values; a list replaces the stored list. */
export interface CollectionUpdate extends v.InferInput<typeof CollectionUpdateSchema> {
  /** Rules, mappings and indexes. An omitted list keeps its value. */
  config?: CollectionConfigCreate;
  /** The new list of triggers, at most 500. An entry with the `id` of a stored trigger replaces that trigger. */
  triggers?: readonly TriggerChanges[];
}
/** Changes to a trigger. Omitted fields keep their values. */
export interface TriggerUpdate extends v.InferInput<typeof TriggerUpdateSchema> {}
/**
 * A new tag. Only `name` is required.
 * @example { "name": "Urgent", "color": "red" }
 */
export interface TagCreate extends v.InferInput<typeof TagCreateSchema> {}

/** Collections of records. */
export interface CollectionsApi {
  /**
   * Creates a collection.
   * @throws StepwellError `invalid`, including for unknown tags, workflows, connections and trigger types
   */
  create(appId: string, input: CollectionCreate): Promise<Collection>;
  /** Lists the collections of an app, newest first. */
  list(appId: string, options?: CollectionListOptions): Promise<Page<Collection>>;
  /** Iterates over all collections, as {@link list} lists them, page by page. */
  listAll(appId: string, options?: AllOptions<CollectionListOptions>): AsyncIterable<Collection>;
  /** Returns a collection, even a deleted one. */
  get(appId: string, collectionId: string): Promise<Collection>;
  /** Updates a collection. @throws StepwellError as {@link create}; `not_found` for a deleted collection */
  update(appId: string, collectionId: string, input: CollectionUpdate): Promise<Collection>;
  /**
   * Deletes a collection. `list` still returns it with `deleted: true`.
   * @throws StepwellError `conflict` with `users` if latest versions of workflows use it, unless `force` is true;
   * `precondition_failed` if its revision is not `expected_revision`
   */
  remove(appId: string, collectionId: string, options?: UsedRemovalOptions): Promise<void>;
  /** Restores a deleted collection with its records. @throws StepwellError `conflict` if it is not deleted */
  restore(appId: string, collectionId: string): Promise<Collection>;
  /**
   * Returns what keeps it from being deleted without `force`: schedules that are not paused, enabled rules and triggers, and
   * workflows whose latest version names it.
   */
  uses(appId: string, collectionId: string): Promise<Uses>;
}

/** Trigger types that collections can use. */
export interface TriggerTypesApi {
  /** Lists the trigger types, with a JSON Schema for the settings of each. */
  list(): Promise<readonly TriggerTypeInfo[]>;
}

/**
 * Triggers of collections, their signatures, and the events that they received. Stepwell filters each event once, maps
 * it to a record, and keeps it in the log for 30 days.
 */
export interface TriggersApi {
  /** Adds a trigger to a collection. @throws StepwellError `invalid`, including for an unknown type or connection */
  create(appId: string, collectionId: string, input: TriggerInput): Promise<Trigger>;
  /** Lists the triggers of a collection, in their order. */
  list(appId: string, collectionId: string, options?: PageOptions): Promise<Page<Trigger>>;
  /** Iterates over all triggers of a collection, as {@link list} lists them, page by page. */
  listAll(appId: string, collectionId: string, options?: AllOptions<PageOptions>): AsyncIterable<Trigger>;
  /** Returns a trigger. */
  get(appId: string, collectionId: string, triggerId: string): Promise<Trigger>;
  /**
   * Updates a trigger. Omitted fields keep their values; `config` is replaced as a whole.
   * @throws StepwellError as {@link create}
   */
  update(appId: string, collectionId: string, triggerId: string, input: TriggerUpdate): Promise<Trigger>;
  /** Removes a trigger. Its pending events fail. */
  remove(appId: string, collectionId: string, triggerId: string): Promise<void>;
  /**
   * Delivers an event to a trigger, as if its source had sent it. Does not wait for its handling: the returned delivery
   * is `pending`.
   * @throws StepwellError `conflict` for a disabled trigger; `invalid` without data if the trigger type has no sample
   */
  test(appId: string, collectionId: string, triggerId: string, input?: TriggerTest): Promise<TriggerDelivery>;
  /** Returns the times of the last and next poll of a trigger, and the error of the last poll. */
  polling(appId: string, collectionId: string, triggerId: string): Promise<TriggerPolling>;
  /** Returns the URL of a trigger and its signature settings. */
  getSignature(appId: string, collectionId: string, triggerId: string): Promise<TriggerSignature>;
  /**
   * Requires signed events from now on. Only this call returns a generated secret. Earlier secrets stay valid for
   * `overlap` seconds (86,400 by default, at most 604,800).
   * @throws StepwellError `not_configured` if the option `secret` is not set
   */
  putSignature(appId: string, collectionId: string, triggerId: string, input: SignaturePut): Promise<TriggerSignature>;
  /** Stops requiring signed events. */
  removeSignature(appId: string, collectionId: string, triggerId: string): Promise<void>;
  /** Lists the events that a trigger received, newest first, with the outcome of each. */
  deliveries(
    appId: string,
    collectionId: string,
    triggerId: string,
    options?: DeliveryListOptions,
  ): Promise<Page<TriggerDelivery>>;
  /** Iterates over all events that a trigger received, as {@link deliveries} lists them, page by page. */
  allDeliveries(
    appId: string,
    collectionId: string,
    triggerId: string,
    options?: AllOptions<DeliveryListOptions>,
  ): AsyncIterable<TriggerDelivery>;
  /** Returns an event that a trigger received, with its outcome. */
  getDelivery(appId: string, collectionId: string, triggerId: string, deliveryId: string): Promise<TriggerDelivery>;
  /**
   * Handles an event again with the current settings of the trigger. Does not wait for its handling: the returned
   * delivery is `pending`.
   * @throws StepwellError `too_many_requests` if too many events are pending
   */
  redeliver(appId: string, collectionId: string, triggerId: string, deliveryId: string): Promise<TriggerDelivery>;
}

/** Tags of collections and records. */
export interface TagsApi {
  /** Creates a tag. */
  create(appId: string, input: TagCreate): Promise<Tag>;
  /** Lists the tags of an app, newest first. */
  list(appId: string, options?: SearchOptions): Promise<Page<Tag>>;
  /** Iterates over all tags, as {@link list} lists them, page by page. */
  listAll(appId: string, options?: AllOptions<SearchOptions>): AsyncIterable<Tag>;
  /** Returns a tag. */
  get(appId: string, tagId: string): Promise<Tag>;
  /** Updates the name or color of a tag. Omitted fields keep their values. */
  update(appId: string, tagId: string, input: TagUpdate): Promise<Tag>;
  /** Deletes a tag, and removes it from all collections and records. */
  remove(appId: string, tagId: string): Promise<void>;
}
