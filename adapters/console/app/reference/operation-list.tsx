/** The operations that can be chosen: all of them by what they are about, or what a search finds. */
import { useEffect, useMemo, useRef, useState } from "react";
import { SearchField } from "../elements/fields/search-field.tsx";
import { useNarrow } from "../elements/media-queries.ts";
import { Link } from "../routing/link.tsx";
import { useQueryParams } from "../routing/location.ts";
import { useTexts } from "../texts/language.ts";
import { type OpenApiDocument, type Operation, operationsOf } from "./document.ts";
import { Method } from "./method.tsx";
import { useSearchKey } from "./reference-shortcuts.ts";
import { findOperations, indexOf } from "./search/find-operations.ts";

interface OperationListProps {
  readonly document: OpenApiDocument;
  /** Whether the page shows one of them. */
  readonly isOneShown: boolean;
}

export function OperationList({ document, isOneShown }: OperationListProps) {
  const { reference: texts } = useTexts();
  // In the address, since each operation is a screen of its own.
  const [params, change] = useQueryParams();
  const search = params.get("search") ?? "";
  const isSearching = search.trim() !== "";
  const operations = operationsOf(document);
  const found = useMemo(
    () => (isSearching ? findOperations(indexOf(document), search) : operations),
    [document, operations, isSearching, search],
  );
  const count = found.length === 0 ? texts.nothing : texts.found(found.length);
  const list = useShownInList();
  useSearchKey(list);

  // Above an operation, there is no room for the list.
  const isFolded = useNarrow() && isOneShown;
  const [isOpen, setOpen] = useState(false);
  const query = isSearching ? `?${new URLSearchParams({ search })}` : "";
  const links = isSearching ? (
    // The best first, whatever they are about.
    <OperationLinks operations={found} query={query} />
  ) : (
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
  );
  return (
    <nav ref={list} className="operations" aria-label={texts.title}>
      <SearchField
        label={texts.search}
        value={search}
        onChange={(text) => {
          setOpen(true);
          change({ search: text }, { replace: true });
        }}
      />
      <p role="status" className={isFolded ? "visually-hidden" : "soft"}>
        {isSearching ? count : ""}
      </p>
      {isFolded ? (
        <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{isSearching ? count : texts.all}</summary>
          {links}
        </details>
      ) : (
        links
      )}
    </nav>
  );
}

/** Scrolls a list to the operation that the page shows. */
function useShownInList() {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const scrolled = list.current;
    const current = scrolled?.querySelector("[aria-current='page']");
    if (scrolled === null || current === null || current === undefined) return;
    const { top, bottom } = current.getBoundingClientRect();
    const around = scrolled.getBoundingClientRect();
    if (top < around.top || bottom > around.bottom) scrolled.scrollTop += top - around.top - around.height / 2;
  }, []);
  return list;
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
