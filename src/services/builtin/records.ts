/** The built-in service `records`: steps read and write records of collections. */
import * as v from "valibot";
import { CollectionRecord, RecordUpsert } from "../../collections/records/record.ts";
import { isStepwellError } from "../../errors.ts";
import { jsonValue, list, map, wholeNumber } from "../../schema.ts";
import { defineService } from "../define-service.ts";

const collection_id = v.pipe(v.string(), v.description("Id of a collection of the app."));
const record_id = v.pipe(v.string(), v.description("Id of a record of the collection."));
const data = v.pipe(
  map(map(jsonValue)),
  v.description("Values by entity and field. { file_id } refers to a file of the app."),
);
const changes = v.pipe(
  map(v.nullable(map(jsonValue))),
  v.description("Values by entity and field. null removes a field or an entity."),
);
const expected_version = v.exactOptional(
  v.pipe(wholeNumber(0), v.description("Version that the record must have. Otherwise, the step fails.")),
);
const tags = v.exactOptional(v.pipe(list(v.string()), v.description("Ids of tags of the app.")));

export const records = defineService({
  name: "records",
  title: "Records",
  actions: {
    list: {
      title: "List records",
      description: "Returns a page of the records of a collection, newest first.",
      input: v.strictObject({
        collection_id,
        search: v.exactOptional(v.pipe(v.string(), v.description("Text to find in any field."))),
        tags,
        take: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000))),
        page_token: v.exactOptional(v.pipe(v.string(), v.description("The next_page_token of the previous page."))),
      }),
      output: v.object({ records: list(CollectionRecord), next_page_token: v.nullable(v.string()) }),
      async run({ collection_id, ...query }, { stepwell, app_id }) {
        const { items, next_page_token = null } = await stepwell.records.list(app_id, collection_id, query);
        return { records: [...items], next_page_token };
      },
    },
    get: {
      title: "Read a record",
      description: "Returns a record with its values, its tags and the results of the rules.",
      input: v.strictObject({ collection_id, record_id }),
      output: CollectionRecord,
      run: ({ collection_id, record_id }, { stepwell, app_id }) =>
        stepwell.records.get(app_id, collection_id, record_id),
    },
    create: {
      title: "Create a record",
      description: "Creates a record and waits up to 10 seconds for the rules of its collection.",
      input: v.strictObject({ collection_id, data, tags }),
      output: CollectionRecord,
      run: ({ collection_id, ...input }, { stepwell, app_id, idempotencyKey }) =>
        stepwell.records.create(app_id, collection_id, { ...input, key: idempotencyKey }),
    },
    update: {
      title: "Update a record",
      description: "Updates the given fields and waits up to 10 seconds for the rules of the collection.",
      input: v.strictObject({ collection_id, record_id, data: v.exactOptional(changes), tags, expected_version }),
      output: CollectionRecord,
      run: ({ collection_id, record_id, ...input }, { stepwell, app_id }) =>
        stepwell.records.update(app_id, collection_id, record_id, input),
    },
    upsert: {
      title: "Update or create a record",
      description: "Updates the record whose field (path, as entity:field) has the given value, or creates it.",
      input: v.strictObject({
        collection_id,
        path: RecordUpsert.entries.path,
        value: RecordUpsert.entries.value,
        data: v.exactOptional(changes),
        tags,
      }),
      output: CollectionRecord,
      run: ({ collection_id, ...input }, { stepwell, app_id }) => stepwell.records.upsert(app_id, collection_id, input),
    },
    delete: {
      title: "Delete a record",
      description: "Deletes a record of a collection.",
      input: v.strictObject({ collection_id, record_id, expected_version }),
      output: v.object({ deleted: v.boolean() }),
      async run({ collection_id, record_id, ...input }, { stepwell, app_id }) {
        try {
          await stepwell.records.remove(app_id, collection_id, record_id, input);
          return { deleted: true };
        } catch (error) {
          if (isStepwellError(error, "not_found")) return { deleted: false }; // perhaps an earlier attempt deleted it
          throw error;
        }
      },
    },
  },
});
