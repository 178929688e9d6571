import type { Messages } from "../../messages.ts";

export const settings: Messages["settings"] = {
  title: "設定",
  intro: "これらの設定は、このブラウザーにのみ適用されます。",
  language: "言語",
  theme: "テーマ",
  themes: { system: "システム", light: "ライト", dark: "ダーク" },
  density: "表示密度",
  densities: { comfortable: "標準", compact: "コンパクト" },
  motion: "動き",
  motions: { system: "システム", reduced: "減らす" },
  prefersOutline: "ワークフローをアウトラインで開く",
  prefersOutlineHint: "アウトラインでも、図を使わずにキャンバスと同じ操作ができます。",
  hasShortcuts: "1 文字のショートカットを使う",
};
