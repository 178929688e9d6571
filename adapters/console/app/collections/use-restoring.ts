/** Restores a collection with its records, and reads all collections again. */
import { useQueryClient } from "@tanstack/react-query";
import type { Collection } from "../../../../src/collections/collection.ts";
import { announce } from "../elements/announced.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

export function useRestoring(appId: string) {
  const { collections: texts } = useTexts();
  const queries = useQueryClient();
  const { dialog, attempt, isBusy } = useProblemDialog();
  const restore = ({ id, name }: Pick<Collection, "id" | "name">) =>
    attempt(async () => {
      await client.collections.restore(appId, id);
      await queries.invalidateQueries({ queryKey: [appId, "collections"] });
      announce(texts.restored(name));
    });
  return { dialog, isBusy, restore };
}
