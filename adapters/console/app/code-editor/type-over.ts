/**
 * Typing over a selection. The browser would keep the look of what it replaces with an inline style, which the policy of the
 * page refuses and reports.
 */
import { EditorView } from "@codemirror/view";

export const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to } = view.state.selection.main;
    const { data: text, inputType, isComposing } = event;
    if (inputType !== "insertText" || isComposing || text === null || from === to) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert));
    if (!isHandled) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});
