/**
 * Files that somebody without a key may name: public ones, and those of upload URLs, whose ids the uploader knows. Ids of other
 * files appear in outputs and logs, and would give access to their contents.
 */
import { type FieldError, missingText } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { FindFiles } from "../runs/resolve-input.ts";
import { checkInput, type Path } from "../workflows/input/check-input.ts";
import type { InputDefinition } from "../workflows/input/input-field.ts";

export interface SenderInput {
  readonly appId: string;
  readonly definition: InputDefinition;
  /** The values as sent. */
  readonly values: JsonObject;
  /** Ids of the files that came with the request. */
  readonly sent?: Pick<ReadonlySet<string>, "has">;
  /** Path of the input in the request. */
  readonly base?: Path;
}

/** Returns an error for each other file that the input names, as if the app did not have it. */
export type CheckSenderFiles = (input: SenderInput) => Promise<readonly FieldError[]>;

export function createCheckSenderFiles(parts: {
  findFiles: FindFiles;
  /** Whether an upload URL of the app has created the file, or will. */
  isOfUploadUrl(appId: string, fileId: string): Promise<boolean>;
}): CheckSenderFiles {
  const { findFiles, isOfUploadUrl } = parts;

  async function mayUse(appId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await findFiles(appId, ids);
    const usable = ids.map((id, index) => found[index]?.visibility === "PUBLIC" || isOfUploadUrl(appId, id));
    const answers = await Promise.all(usable);
    return new Set(ids.filter((_, index) => answers[index]));
  }

  return async ({ appId, definition, values, sent = new Set(), base }) => {
    const named = checkInput(definition, values, {}, base).files.filter(({ id }) => !sent.has(id));
    if (named.length === 0) return [];
    const usable = await mayUse(appId, [...new Set(named.map(({ id }) => id))]);
    return named.flatMap(({ id, pointer }) => (usable.has(id) ? [] : [{ pointer, message: missingText("file", id) }]));
  };
}
