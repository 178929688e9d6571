/** The settings of a run as a form. */
import { ANY_VALUE, type FormModel, plainField, type Shape } from "../../../../src/forms/model/form-model.ts";
import type { Messages } from "../texts/messages.ts";

/** @param hasFiles Whether the form of the run has files, which it could start before. */
export function settingsModel(texts: Messages["newRun"], hasFiles: boolean): FormModel {
  const field = (key: string, label: string, desc: string, shape: Shape, isOptional = true) =>
    plainField(key, shape, { label, desc, isOptional });
  const text: Shape = { kind: "text", look: "line", suggestions: [] };
  const names: Shape = { kind: "object", fields: [], additional: true, extra: ANY_VALUE };
  return {
    kind: "object",
    additional: false,
    extra: ANY_VALUE,
    fields: [
      field("tags", texts.tags, texts.tagsHint, { kind: "list", item: text }),
      field("metadata", texts.metadata, texts.metadataHint, names, false),
      field("run_at", texts.runAt, texts.runAtHint, { kind: "datetime" }),
      field("priority", texts.priority, texts.priorityHint, { kind: "number", isWhole: true }),
      ...(hasFiles
        ? [
            field(
              "wait_for_files",
              texts.waitForFiles,
              texts.waitForFilesHint,
              { kind: "boolean", hasThirdState: false },
              false,
            ),
          ]
        : []),
    ],
  };
}

/** Whether a form has a field for files, also in an object or a list. */
export function hasFiles(shape: Shape): boolean {
  if (shape.kind === "object") return shape.fields.some((field) => hasFiles(field.shape));
  if (shape.kind === "variants") return shape.variants.some((variant) => hasFiles(variant.shape));
  return shape.kind === "file" || (shape.kind === "list" && hasFiles(shape.item));
}
