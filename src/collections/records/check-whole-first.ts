/** A schema that checks a value as a whole before its parts. */
import * as v from "valibot";

/** Wraps a schema: rejects a value that `accepts` rejects, without checking its parts. */
export function checkWholeFirst<const Of extends v.GenericSchema>(
  schema: Of,
  accepts: (value: unknown) => boolean,
  message: string,
): Of {
  return v._standardSchema<Of>({
    ...schema,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      if (accepts(dataset.value)) return schema["~run"](dataset, config);
      v._addIssue(schema, "size", dataset, config, { message });
      return dataset as unknown as v.FailureDataset<never>;
    },
  });
}
