/**
 * Puts the focus on the panel of a step. One that is higher than the window is shown from its top, and so is one that is a
 * page of its own: its parts may not be loaded yet.
 */
export function focusPanel(panel: HTMLElement, isPage: boolean): void {
  panel.focus({ preventScroll: true });
  panel.scrollIntoView({ block: isPage || panel.offsetHeight > innerHeight ? "start" : "nearest" });
}
