/** The operations that can be chosen: all of them by what they are about, or what a search finds. */
import { useEffect, useMemo, useRef, useState } from "react";
import { SearchField } from "../elements/fields/search-field.tsx";
import { useNarrow } from "../elements/media-queries.ts";
import { Link } from "../routing/link.tsx";
import { useQueryParams } from "../routing/location.ts";
import { useTexts } from "../texts/language.ts";
import type { OpenApiDocument, Operation } from "./document.ts";
import { Method } from "./method.tsx";
import { findOperations, indexOperations } from "./search/find-operations.ts";

interface OperationListProps {
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
  /** Operation that the page shows; null for none. */
  readonly chosen: Operation | null;
}

export function OperationList({ document, operations, chosen }: OperationListProps) {
  const { reference: texts } = useTexts();
  // In the address, since each operation is a screen of its own.
  const [params, change] = useQueryParams();
  const search = params.get("search") ?? "";
  const isSearching = search.trim() !== "";
  const index = useMemo(
    () => (isSearching ? indexOperations(document, operations) : null),
    [document, operations, isSearching],
  );
  const found = useMemo(
    () => (index === null ? operations : findOperations(index, search)),
    [index, operations, search],
  );
  const count = found.length === 0 ? texts.nothing : texts.found(found.length);
  const place = useShownInList();

  // Above an operation, there is no room for the list.
  const isFolded = useNarrow() && chosen !== null;
  const [openedAt, setOpenedAt] = useState<Operation | null>(null);
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
    <nav ref={place} className="operations" aria-label={texts.title}>
      <SearchField
        label={texts.search}
        value={search}
        onChange={(text) => {
          setOpenedAt(chosen);
          change({ search: text }, { replace: true });
        }}
      />
      <p role="status" className={isFolded ? "visually-hidden" : "soft"}>
        {isSearching ? count : ""}
      </p>
      {isFolded ? (
        <details
          open={openedAt === chosen}
          onToggle={({ currentTarget }) => {
            if (currentTarget.open) setOpenedAt(chosen);
            else if (openedAt === chosen) setOpenedAt(null);
          }}
        >
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
    const place = list.current;
    const current = place?.querySelector("[aria-current='page']");
    if (place === null || current === null || current === undefined) return;
    const { top, bottom } = current.getBoundingClientRect();
    const around = place.getBoundingClientRect();
    if (top < around.top || bottom > around.bottom) place.scrollTop += top - around.top - around.height / 2;
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
