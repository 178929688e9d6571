/** The style of a diagram. Viewers without `prefers-color-scheme` show the light colors. */
export const STYLE = `
svg{--back:#fff;--box:#f6f7f9;--line:#8a93a2;--ink:#1b2430;--soft:#5b6675;--catch:#c2372e;--type:#8a93a2}
@media(prefers-color-scheme:dark){svg{--back:#14181f;--box:#1f2530;--line:#7b8696;--ink:#eef1f5;--soft:#a3adba;--catch:#ff8278;--type:#7b8696}}
text{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;text-anchor:middle;unicode-bidi:isolate}
.back{fill:var(--back)}
.box{fill:var(--box);stroke:var(--type);stroke-width:1.5}
.key{fill:var(--ink);font-size:14px;font-weight:600}
.facts{fill:var(--soft);font-size:12px}
.edge{fill:none;stroke:var(--line);stroke-width:1.5}
.tip{fill:var(--line)}
.edge.catch{stroke:var(--catch);stroke-dasharray:5 4}
.tip.catch{fill:var(--catch)}
.label{fill:var(--soft);font-size:12px;dominant-baseline:middle;paint-order:stroke;stroke:var(--back);stroke-width:5px;stroke-linejoin:round}
.label.catch{fill:var(--catch)}
.notice{fill:var(--soft);font-size:12px;text-anchor:start}
.input{--type:#2f8f5b}.branch{--type:#b7791f}.code{--type:#3b6fd4}.model{--type:#8250c8}.http_request{--type:#0e8a9a}
.browser{--type:#0e8a9a}.workflow{--type:#c04f86}.service{--type:#4d63b8}.note .box{stroke-dasharray:3 3}
`.trim();
