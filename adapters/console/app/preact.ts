/**
 * The page is written against React and built with Preact in its place (build/pack-console.ts). These are the two places
 * in which the page relies on what React does and Preact does not. Two more stay different: `onChange` of an element
 * around fields is that of the browser, which comes when a field is left, where `onInput` hears each key; and values and
 * transitions that React would defer change at once, so that the page uses none (biome.json).
 */
import { options, type VNode } from "preact";
// The developer tools of the browser find Preact by it. React needs nothing for that.
import "preact/devtools";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function actLikeReact(): void {
  runEffectsAtOnce();
  setFieldsBack();
}

/**
 * Effects run before the next event, such as those that set the focus. Preact would wait for a frame, and the keys of
 * somebody who types on would go elsewhere. React does not wait either after an event of a person.
 */
function runEffectsAtOnce(): void {
  options.requestAnimationFrame = (runEffects) => queueMicrotask(runEffects);
}

/**
 * A field shows the state of the page, also after an event that has not changed it, such as a click on a box that stays
 * checked. Preact would leave it as the browser has changed it.
 */
function setFieldsBack(): void {
  const { diffed, event } = options;
  const props = new WeakMap<EventTarget, VNode["props"]>();
  options.diffed = (vnode) => {
    diffed?.(vnode);
    if (vnode.type !== "input" && vnode.type !== "select" && vnode.type !== "textarea") return;
    const field: unknown = Reflect.get(vnode, "__e"); // its element
    if (field instanceof EventTarget) props.set(field, vnode.props);
  };
  options.event = (given: Event) => {
    const { currentTarget: field, type } = given;
    if ((type === "input" || type === "change" || type === "click") && isField(field)) {
      // Behind what the handler changes: that is rendered in a task of this turn which is queued later than the first.
      queueMicrotask(() => queueMicrotask(() => setBack(field, props)));
    }
    return event?.(given) ?? given;
  };
}

const isField = (one: EventTarget | null): one is Field =>
  one instanceof HTMLInputElement || one instanceof HTMLSelectElement || one instanceof HTMLTextAreaElement;

function setBack(field: Field, props: WeakMap<EventTarget, VNode["props"]>): void {
  if (field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio")) {
    for (const one of groupOf(field)) {
      const checked: unknown = Reflect.get(props.get(one) ?? {}, "checked");
      if (typeof checked === "boolean" && one.checked !== checked) one.checked = checked;
    }
    return;
  }
  const value: unknown = Reflect.get(props.get(field) ?? {}, "value");
  if (typeof value === "string" && field.value !== value) field.value = value;
}

/** A button of a group is chosen by the state, and by the browser where another one is no more. */
function groupOf(field: HTMLInputElement): readonly HTMLInputElement[] {
  if (field.type !== "radio" || field.name === "") return [field];
  const all = document.querySelectorAll<HTMLInputElement>(`input[type=radio][name="${CSS.escape(field.name)}"]`);
  return [...all].filter(({ form }) => form === field.form);
}
