/** A section that the session may not read. */
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { PageHead } from "../elements/page-head.tsx";
import type { Section } from "../routing/screen-props.ts";
import { useTexts } from "../texts/language.ts";

export function NeedsScopeScreen({ section, scope }: { readonly section: Section; readonly scope: string }) {
  const { general, frame } = useTexts();
  return (
    <>
      <PageHead title={frame[section]} />
      <EmptyState title={general.needsScope(scope)} />
    </>
  );
}
