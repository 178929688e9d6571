/** The data of a record within a form. */
import { useQuery } from "@tanstack/react-query";
import type { CollectionRecord } from "../../../../src/collections/records/record.ts";
import { Loading } from "../elements/loading.tsx";
import { FormPart } from "../forms/parts/form-part.tsx";
import type { FormPartState } from "../forms/parts/use-form-part.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { namedFields, recordModel } from "./record-model.ts";

interface RecordPartProps {
  readonly part: FormPartState;
  readonly appId: string;
  readonly collectionId: string;
  /** Records whose fields the form has. */
  readonly records: readonly CollectionRecord[];
}

export function RecordPart({ part, appId, collectionId, records }: RecordPartProps) {
  const { records: texts } = useTexts();
  const found = useQuery({
    queryKey: [appId, "collections", collectionId, "form"],
    queryFn: ({ signal }) => client.with({ signal }).collections.get(appId, collectionId),
    // The form must not change while somebody fills it in.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (found.isPending) return <Loading />;
  const makeModel = () => recordModel(found.data === undefined ? [] : namedFields(found.data), records);
  return <FormPart part={part} makeModel={makeModel} appId={appId} label={texts.data} hint={texts.dataHint} />;
}
