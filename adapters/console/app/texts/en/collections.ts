import { plural } from "../plural.ts";

export const collections = {
  title: "Collections",
  empty: "There are no collections.",
  emptyText: "A collection holds records. Workflows check each record that is written to it.",
  create: "New collection",
  records: (count: number) => plural("en", count, { one: "record", other: "records" }),
  recordsColumn: "Records",
  tags: "Tags",
  settings: "Settings",
  rules: "Rules",
  mappings: "Mappings",
  triggers: "Triggers",
  indexes: "Indexed fields",
  indexesHint: "As entity:field, one on each line. Lists sort and filter by them quickly.",
  restore: "Restore",
  deleted: "Deleted collections",
  public: "Can be read without an API key",
};
