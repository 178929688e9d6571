/** The style that all web pages share: light and dark, from 320 pixels, with touch-sized targets. */
export const BASE_STYLE = /* css */ `
:root {
  color-scheme: light dark;
  --ground: #f3f4f7; --card: #fff; --text: #1b1f27; --quiet: #565d6b; --line: #8a92a1; --soft: #e4e7ee;
  --accent: #1d5fd6; --on-accent: #fff; --tint: #eef4ff; --good: #157347; --bad: #b3261e;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101319; --card: #191d26; --text: #eceef3; --quiet: #a7afbf; --line: #6d7688; --soft: #2c3240;
    --accent: #8bb4ff; --on-accent: #0b1a33; --tint: #1b2740; --good: #5ccb92; --bad: #ff9a90;
  }
}
*, ::before, ::after { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; background: var(--ground); color: var(--text) }
main {
  width: min(30rem, 100% - 2rem); min-width: 0; margin: 1rem 0; padding: clamp(1.25rem, 6vw, 2.25rem); border-radius: 1.25rem;
  background: var(--card); box-shadow: 0 1px 2px #0002, 0 12px 40px -12px #0003; overflow-wrap: anywhere;
}
h1 { margin: 0 0 .25rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em }
/* Letters of Arabic are connected, and Japanese has no spaces to break a line at. */
[dir=rtl] h1 { letter-spacing: normal }
main:lang(ja) { line-break: strict; word-break: auto-phrase }
p { margin: 0 }
.app { margin-bottom: .75rem; color: var(--quiet); font-size: .875rem; font-weight: 600 }
svg { width: 1.5rem; height: 1.5rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round }
.badge { width: 3rem; height: 3rem; margin-bottom: 1rem; padding: .6rem; border-radius: 50%; stroke-width: 2.5; color: var(--card) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; animation: none !important } }
`;
