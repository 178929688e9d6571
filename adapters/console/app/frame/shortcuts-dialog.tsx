/** The list of all keys, over the page on which somebody asks for it. */
import { Dialog } from "../elements/dialogs/dialog.tsx";
import { part } from "../loading/part.tsx";
import { useTexts } from "../texts/language.ts";

const ShortcutList = part(async () => ({ default: (await import("../shortcuts/shortcuts-screen.tsx")).ShortcutList }));

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const { shortcuts } = useTexts();
  return (
    <Dialog title={shortcuts.title} onClose={onClose}>
      <div role="region" className="scrolled-text" aria-label={shortcuts.title} tabIndex={0} data-focus-first>
        <p>{shortcuts.intro}</p>
        <ShortcutList />
      </div>
    </Dialog>
  );
}
