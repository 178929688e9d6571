/** Puts the focus on the panel of a step. One that is higher than the window is shown from its top. */
export function focusPanel(panel: HTMLElement): void {
  panel.focus({ preventScroll: true });
  panel.scrollIntoView({ block: panel.offsetHeight > innerHeight ? "start" : "nearest" });
}
