/** Turns files in a request to a hook into files of the app. */
import type { StoreFile } from "../files/create-file.ts";
import { discardFiles } from "../files/discard-files.ts";
import type { JsonObject } from "../json.ts";
import type { Visibility } from "../schema.ts";
import type { InputDefinition, InputField } from "../workflows/input/input-field.ts";
import type { ReceivedFile } from "./form-payload.ts";

export interface RequestFiles {
  /** Ids of the files, by the names of their fields. */
  readonly values: JsonObject;
  /** Deletes the files, because no run was started with them. */
  discard(): Promise<void>;
}

/** The fields of the input that take files. */
export const fileFieldsOf = (definition: InputDefinition): string[] =>
  Object.entries(definition).flatMap(([name, field]) => (field.type === "file" ? [name] : []));

/** The visibility of a file that is uploaded for a field. */
export const visibilityOf = (field: InputField | undefined): Visibility =>
  (field?.type === "file" ? field.visibility : undefined) ?? "PRIVATE";

/**
 * @param definition Its fields decide the visibility of their files.
 * @param key Identifies the request: a repeat of it gets the same files.
 * @throws StepwellError `too_large`, `unavailable`
 */
export async function storeRequestFiles(
  parts: { readonly storeFile: StoreFile; removeFile(appId: string, fileId: string): Promise<void> },
  appId: string,
  key: string,
  definition: InputDefinition,
  files: readonly ReceivedFile[],
): Promise<RequestFiles> {
  const stored: string[] = [];
  const values: Record<string, string[]> = {};

  const discard = () => discardFiles(parts.removeFile, appId, stored);

  try {
    for (const [index, { field, name, body }] of files.entries()) {
      const { id } = await parts.storeFile({
        ...{ app_id: appId, key: `${key}/${index}`, maxSize: body.byteLength },
        visibility: visibilityOf(definition[field]),
        open: () => ({ name, body }),
      });
      stored.push(id);
      values[field] = [...(values[field] ?? []), id];
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return { values, discard };
}
