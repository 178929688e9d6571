/** The style of forms. */
import { BASE_STYLE } from "../../web-pages/base-style.ts";

export const FORM_STYLE = `${BASE_STYLE}${
  /* css */ `
main { width: min(38rem, 100% - 2rem) }
.markdown, .text { margin-top: 1rem }
.text { white-space: pre-line; overflow-wrap: anywhere }
.field .markdown { margin-top: 0 }
.markdown p + p { margin-top: .5rem }
form { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); gap: 1.25rem; margin-top: 1.5rem; align-items: start }
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: .375rem; min-width: 0; grid-column: 1 / -1 }
.field.grid { grid-column: auto }
.field.center { text-align: center; justify-items: center }
.field.inline { grid-template-columns: minmax(0, 1fr) minmax(0, 2fr); align-items: center; gap: .375rem 1rem }
.field.inline > :is(.hint, .wrong) { grid-column: 2 }
fieldset { margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: .75rem; min-width: 0 }
fieldset > div { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem }
legend { padding: 0 .375rem; font-weight: 600 }
fieldset.plain { padding: 0; border: 0 }
fieldset.plain > legend { padding: 0 0 .375rem }
fieldset.plain > div { gap: 0 }
fieldset.in-row > div { display: flex; flex-wrap: wrap; gap: 0 1.5rem }
.field.inline > fieldset.plain { grid-column: 1 / -1; display: grid; grid-template-columns: inherit; gap: inherit; align-items: inherit }
.field.inline > fieldset.plain > legend { float: inline-start; padding: 0 }
.field.inline > fieldset.plain > :not(legend) { grid-column: 2 }
@media (max-width: 30rem) {
  .field.inline { grid-template-columns: minmax(0, 1fr) }
  .field.inline > :is(.hint, .wrong), .field.inline > fieldset.plain > :not(legend) { grid-column: 1 }
  .field.inline > fieldset.plain { gap: .375rem }
}
label, .label { font-weight: 600 }
label.option { display: flex; gap: .625rem; align-items: center; min-height: 2.75rem; font-weight: 400 }
.optional { color: var(--quiet); font-weight: 400 }
.hint { color: var(--quiet); font-size: .9375rem }
.wrong { color: var(--bad); font-weight: 600 }
input:not([type=checkbox], [type=radio], [type=file]), select, textarea {
  width: 100%; min-width: 0; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .625rem;
  background: var(--card); color: var(--text); font: inherit;
}
/* Each paragraph has the direction of what is written; without anything, that of the page. */
input[type=text], textarea { unicode-bidi: plaintext }
textarea { min-height: 6rem; resize: vertical }
input[type=file] { max-width: 100%; font: inherit }
input[type=file]::file-selector-button {
  min-height: 2.75rem; margin-inline-end: .75rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .625rem;
  background: var(--soft); color: var(--text); font: inherit; cursor: pointer;
}
input:is([type=checkbox], [type=radio]) { flex: none; width: 1.375rem; height: 1.375rem; margin: 0; accent-color: var(--accent) }
[aria-invalid=true] { border-color: var(--bad); border-width: 2px }
.errors { margin-top: 1.5rem; padding: 1rem 1.25rem; border: 2px solid var(--bad); border-radius: .75rem }
.errors h2 { margin: 0 0 .25rem; font-size: 1.0625rem }
.errors ul { margin: 0; padding-inline-start: 1.25rem }
a { color: var(--accent) }
button, .back {
  display: inline-grid; place-items: center; min-height: 2.75rem; padding: .5rem 1.5rem; border-radius: .75rem; border: 1px solid transparent;
  background: var(--brand, var(--accent)); color: var(--on-brand, var(--on-accent)); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
button { grid-column: 1 / -1 }
.back { margin-top: 1.25rem }
.good { background: var(--good) } .bad { background: var(--bad) }
.markdown > :first-child { margin-top: 0 } .markdown > :last-child { margin-bottom: 0 }
.markdown :is(h2, h3, h4, h5, h6) { margin: 1rem 0 .25rem; font-size: 1.0625rem }
.markdown pre { overflow-x: auto } .markdown table { display: block; overflow-x: auto }
@media (forced-colors: active) { button { border-color: ButtonText } }
`
}`;
