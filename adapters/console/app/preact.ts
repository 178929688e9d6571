/**
 * The page is written against React and built with Preact in its place (build/pack-console.ts). This is what Preact has
 * to do differently for that.
 */
import { options } from "preact";
// Its developer tools in the browser, as React has without asking.
import "preact/devtools";

/**
 * Effects run before the next event, such as those that set the focus. Preact would wait for a frame, and the keys of
 * somebody who types on would go elsewhere. React does not wait either after an event of a person.
 */
export function runEffectsAtOnce(): void {
  options.requestAnimationFrame = (runEffects) => queueMicrotask(runEffects);
}
