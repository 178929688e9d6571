/** The style of upload pages. */
import { BASE_STYLE } from "../../web-pages/base-style.ts";

export const STYLE = `${BASE_STYLE}${
  /* css */ `
[hidden], main:not([data-ready]) .scripted, [data-ready] .plain { display: none !important }
#facts, #size, #ways, .figures { color: var(--quiet) }

.zone {
  display: grid; grid-template-columns: minmax(0, 1fr); justify-items: center; gap: .5rem; margin-top: 1.5rem; padding: 2.5rem 1rem; text-align: center;
  border: 2px dashed var(--line); border-radius: 1rem; cursor: pointer; transition: background .15s, border-color .15s;
}
.zone:hover { border-color: var(--accent); background: var(--tint) }
.zone > svg { width: 2.5rem; height: 2.5rem; color: var(--accent) }
[data-ready] .zone { position: relative }
[data-ready] .zone input { position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; cursor: pointer }
main:not([data-ready]) .zone input { max-width: 100%; margin-top: .5rem; font: inherit }

button, .choose, a {
  display: inline-grid; place-items: center; min-height: 2.75rem; padding: .5rem 1.25rem; border-radius: .75rem;
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
.choose, .plain, #main { border: 1px solid transparent; background: var(--brand, var(--accent)); color: var(--on-brand, var(--on-accent)) }
#other, a { border: 1px solid var(--line); background: transparent; color: var(--text) }
#other:hover { background: var(--soft) }
.plain { width: 100%; margin-top: 1rem }
a { margin-top: 1.25rem }
main:not([data-ready]) .choose { min-height: 0; padding: 0; background: none; color: var(--text) }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem }
.buttons button { flex: 1 1 auto }
.zone:focus-within:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 3px }
/* The script moves the focus to the title, which is no control. */
h1:focus-visible { outline: none }
.zone :focus-visible { outline: none }

.file { display: flex; align-items: center; gap: 1rem; margin-top: 1.25rem }
.file p { display: grid; min-width: 0 }
.picture {
  display: grid; place-items: center; flex: none; width: 4rem; height: 4rem; overflow: hidden;
  border-radius: .75rem; background: var(--soft); color: var(--quiet);
}
.picture > * { grid-area: 1 / 1 }
.picture img { width: 100%; height: 100%; object-fit: cover }
#name { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3 }
progress {
  display: block; width: 100%; height: .625rem; margin-top: 1.25rem; border: 0; border-radius: 1rem; overflow: hidden;
  appearance: none; background: var(--soft); color: var(--accent);
}
progress::-webkit-progress-bar { background: var(--soft) }
progress::-webkit-progress-value { background: var(--accent); border-radius: 1rem; transition: width .2s linear }
progress::-moz-progress-bar { background: var(--accent); border-radius: 1rem }
.figures { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin-top: .5rem; font-variant-numeric: tabular-nums }
#percent { font-weight: 600; color: var(--text) }
#note { margin-top: 1rem }
#note:empty { display: none }
.badge + h1 + #note { margin-top: .25rem }

.badge, .badge path { display: none }
.badge { width: 3rem; height: 3rem; margin-bottom: 1rem; padding: .6rem; border-radius: 50%; stroke-width: 2.5; color: var(--card) }
[data-state=received] > .badge, [data-state=received] .good,
:is([data-state=failed], [data-state=refused], [data-state=closed]) > .badge,
:is([data-state=failed], [data-state=refused], [data-state=closed]) .bad { display: block }
[data-state=received] > .badge { background: var(--good) }
:is([data-state=failed], [data-state=refused], [data-state=closed]) > .badge { background: var(--bad) }
:is([data-state=paused], [data-state=lost]) progress::-webkit-progress-value { background: var(--line) }
:is([data-state=paused], [data-state=lost]) progress::-moz-progress-bar { background: var(--line) }

#live { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
#over {
  position: fixed; inset: 0; display: none; place-items: center; padding: 1rem; pointer-events: none;
  background: var(--tint); border: 4px dashed var(--accent); color: var(--text); font-size: 1.5rem; font-weight: 600;
}
[data-over] #over { display: grid }
/* There is nothing to drop or paste with a finger. */
@media (hover: none) and (pointer: coarse) { #ways { display: none } }
@media (forced-colors: active) { .choose, button { border-color: ButtonText } progress { border: 1px solid } }
`
}`;
