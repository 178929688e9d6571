/** An address of nothing. */
import { EmptyState } from "../elements/empty-state.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { Link } from "../routing/link.tsx";
import { useTexts } from "../texts/language.ts";

export function NotFoundScreen() {
  const { common, frame } = useTexts();
  return (
    <>
      <PageHead title={common.notFound} />
      <EmptyState title={common.notFoundText}>
        <Link to="/">{frame.overview}</Link>
      </EmptyState>
    </>
  );
}
