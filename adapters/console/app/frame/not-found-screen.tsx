/** An address of nothing. */
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { Link } from "../routing/link.tsx";
import { useTexts } from "../texts/language.ts";

export function NotFoundScreen() {
  const { general, frame } = useTexts();
  return (
    <>
      <PageHead title={general.notFound} />
      <EmptyState title={general.notFoundText}>
        <Link to="/">{frame.overview}</Link>
      </EmptyState>
    </>
  );
}
