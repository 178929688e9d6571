/** The fields that a caller gives the columns of CSV, whatever the header calls them. Pure. */
import * as v from "valibot";
import { list } from "../../schema.ts";
import { FieldPath } from "../mapping.ts";

/** As many as an export can name. */
const MAX_COLUMNS = 1_000;

/** The field of a column, or empty to leave the column out. */
export const ImportColumn = v.pipe(
  v.string(),
  v.check(
    (path) => path === "" || v.is(FieldPath, path),
    'Must have the form entity:field, such as "loan:amount". Leave it empty to leave the column out.',
  ),
);

/** As a list, or as one text with commas. */
export const ImportColumns = v.pipe(
  v.union([
    list(v.string()),
    v.pipe(
      v.string(),
      v.transform((text): readonly string[] => text.split(",")),
    ),
  ]),
  v.maxLength(MAX_COLUMNS, `Must have at most ${MAX_COLUMNS} columns.`),
  list(ImportColumn),
  v.check((columns) => columns.some((column) => column !== ""), "Must name the field of at least one column."),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value: input } = dataset;
    const key = repeatedColumn(input);
    if (key === -1) return;
    const message = "Another column has this field. Leave one of them out.";
    addIssue({ message, path: [{ type: "array", origin: "value", input: [...input], key, value: input[key] }] });
  }),
);

/** The first column with the field of one before it; -1 if there is none. */
export const repeatedColumn = (columns: readonly string[]): number =>
  columns.findIndex((column, index) => column !== "" && columns.indexOf(column) < index);
