/** The reference of the API: all operations, and the one of the address. */
import { Loading } from "../elements/loading.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import type { ScreenProps } from "../routing/screen-props.ts";
import { useTexts } from "../texts/language.ts";
import { type OpenApiDocument, operationsOf } from "./document.ts";
import { OperationList } from "./operation-list.tsx";
import { OperationView } from "./operation-view.tsx";
import { documentUrl, useDocument } from "./use-document.ts";
import "./reference.css";

export default function ReferenceScreen({ params: { operation: id } }: ScreenProps) {
  const found = useDocument();
  if (found.isPending) return <Loading />;
  if (found.error !== null) return <ProblemNote error={found.error} onRetry={() => void found.refetch()} />;
  return <Reference document={found.data} id={id} />;
}

function Reference({ document, id }: { readonly document: OpenApiDocument; readonly id: string | undefined }) {
  const { reference: texts } = useTexts();
  const chosen = operationsOf(document).find(({ operationId }) => operationId === id);
  return (
    <div className="reference">
      <OperationList document={document} isOneShown={chosen !== undefined} />
      {chosen === undefined ? (
        <div className="operation">
          <PageHead title={texts.title} below={texts.intro} />
          {id === undefined ? null : <p role="alert">{texts.noOperation(id)}</p>}
          <p>
            <a href={documentUrl}>{texts.document}</a>
          </p>
        </div>
      ) : (
        <OperationView document={document} operation={chosen} />
      )}
    </div>
  );
}
