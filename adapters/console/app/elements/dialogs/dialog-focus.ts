/** Where the focus is in a dialog that opens. */

/** Also what adds a field, where there may be none. */
const FIELDS =
  ":is(input, select, textarea):not(:disabled, [type='hidden']), [contenteditable='true'], [data-adds-field]";

/**
 * Puts the focus on what is marked, else on the first field, else on the main action, else on the heading. While the dialog loads its fields,
 * it waits for them, unless somebody does something first.
 * @returns What ends the wait.
 */
export function focusDialog(dialog: HTMLDialogElement): () => void {
  const marked = dialog.querySelector<HTMLElement>("[data-focus-first][tabindex], [data-focus-first] button");
  marked?.focus();
  if (marked !== null || focusField(dialog)) return () => undefined;
  focusAction(dialog);
  const given = document.activeElement;
  const wait = new MutationObserver(() => {
    if (document.activeElement !== given || focusField(dialog)) stop();
  });
  const stop = () => {
    wait.disconnect();
    dialog.removeEventListener("keydown", stop);
    dialog.removeEventListener("pointerdown", stop);
  };
  wait.observe(dialog, { childList: true, subtree: true });
  dialog.addEventListener("keydown", stop);
  dialog.addEventListener("pointerdown", stop);
  return stop;
}

function focusField(dialog: HTMLDialogElement): boolean {
  const body = dialog.querySelector(".dialog-body");
  const fields = [...(body?.querySelectorAll<HTMLElement>(FIELDS) ?? [])].filter((field) => field.checkVisibility());
  const first = fields[0];
  if (first === undefined || isBehindLoading(first, body)) return false;
  // Of radio buttons, the one that is checked has the focus.
  const isRadio = first instanceof HTMLInputElement && first.type === "radio";
  const checked = isRadio
    ? fields.find((field) => field instanceof HTMLInputElement && field.name === first.name && field.checked)
    : undefined;
  (checked ?? first).focus();
  return true;
}

/** Whether fields before it are still to come. */
function isBehindLoading(field: HTMLElement, body: Element | null): boolean {
  const loading = body?.querySelector(".loading") ?? null;
  return loading !== null && (loading.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** The Enter key must not delete anything by accident: there, the focus is on "Cancel". */
function focusAction(dialog: HTMLDialogElement): void {
  const buttons = [...dialog.querySelectorAll<HTMLButtonElement>(":scope > footer button:not(:disabled)")];
  const isDangerous = buttons.some((button) => button.classList.contains("danger"));
  const main = isDangerous ? buttons[0] : buttons.find((button) => button.classList.contains("primary"));
  const target = main ?? dialog.querySelector<HTMLElement>(":scope > header h2");
  target?.focus();
}
