/** The reference of the API: all operations, and the one of the address. */
import { useEffect, useRef } from "react";
import { SearchField } from "../elements/fields/search-field.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { Loading } from "../elements/loading.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { Link } from "../routing/link.tsx";
import { useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { useTexts } from "../texts/language.ts";
import { type OpenApiDocument, type Operation, operationsOf } from "./document.ts";
import { findOperations } from "./find-operations.ts";
import { Method } from "./method.tsx";
import { OperationView } from "./operation-view.tsx";
import { documentUrl, useDocument } from "./use-document.ts";
import "./reference.css";

export default function ReferenceScreen({ params: { operation: id } }: ScreenProps) {
  const { reference: texts } = useTexts();
  const found = useDocument();
  if (found.isPending) return <Loading />;
  if (found.error !== null) return <ProblemNote error={found.error} onRetry={() => void found.refetch()} />;
  const operations = operationsOf(found.data);
  const chosen = operations.find(({ operationId }) => operationId === id);
  return (
    <div className={chosen === undefined ? "reference" : "reference with-operation"}>
      <Operations document={found.data} operations={operations} />
      {chosen === undefined ? (
        <div className="operation">
          <PageHead title={texts.title} below={texts.intro} />
          {id === undefined ? null : <p role="alert">{texts.noOperation(id)}</p>}
          <p>
            <a href={documentUrl}>{texts.document}</a>
          </p>
        </div>
      ) : (
        <OperationView key={chosen.operationId} document={found.data} operation={chosen} />
      )}
    </div>
  );
}

interface OperationsProps {
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
}

function Operations({ document, operations }: OperationsProps) {
  const { reference: texts } = useTexts();
  // In the address, since each operation is a screen of its own.
  const [params, change] = useQueryParams();
  const search = params.get("search") ?? "";
  const query = search === "" ? "" : `?${new URLSearchParams({ search })}`;
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const place = list.current;
    const current = place?.querySelector("[aria-current='page']");
    if (place === null || current === null || current === undefined) return;
    const { top, bottom } = current.getBoundingClientRect();
    const around = place.getBoundingClientRect();
    if (top < around.top || bottom > around.bottom) place.scrollTop += top - around.top - around.height / 2;
  }, []);
  const found = findOperations(operations, search);
  return (
    <nav ref={list} className="operations" aria-label={texts.title}>
      <SearchField
        label={texts.search}
        value={search}
        onChange={(text) => change({ search: text }, { replace: true })}
      />
      {found.length === 0 ? <EmptyState title={texts.nothing} /> : null}
      {search.trim() === "" ? (
        (document.tags ?? []).map(({ name }) => {
          const own = operations.filter(({ tags }) => tags?.includes(name));
          if (own.length === 0) return null;
          return (
            <section key={name}>
              <h2>{name}</h2>
              <OperationLinks operations={own} query={query} />
            </section>
          );
        })
      ) : (
        // The best first, whatever they are about.
        <OperationLinks operations={found} query={query} />
      )}
    </nav>
  );
}

interface OperationLinksProps {
  readonly operations: readonly Operation[];
  readonly query: string;
}

function OperationLinks({ operations, query }: OperationLinksProps) {
  return (
    <ul>
      {operations.map(({ operationId, method, summary }) => (
        <li key={operationId}>
          <Link to={`/docs/${operationId}${query}`} title={summary}>
            <Method method={method} />
            <span className="operation-name">
              <code>{operationId}</code>
              <bdi>{summary}</bdi>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
