import type { Messages } from "../../messages.ts";

export const expressions: Messages["expressions"] = {
  variables: {
    input: "実行の入力。",
    steps: "このステップより前のステップ（キー別）。",
    run: "実行：ID、ワークフロー、バージョン、開始元、タグ、メタデータ。",
    app: "アプリ：ID と名前。",
    now: "ステップの準備ができた日時。",
    iteration: "繰り返しの番号（1 から）。",
    previous: "前回の繰り返しの出力。初回は null。",
    output: "今回の繰り返しの出力。",
    item: "リストの項目。",
    index: "項目のインデックス（0 から）。",
    error: "ステップが失敗した理由。",
    event: "届いたイベント。",
  },
  modes: { value: "通常の値", expression: "式", auto: "モデルが補完" },
  modeOf: (label) => `「${label}」の指定方法`,
  autoWish: "モデルに補完させる内容",
  result: "結果",
  inRun: (run) => `${run} の値を使用`,
  noValue: (reason) => `この実行には値がありません：${reason}`,
  filledByModel: "ステップの実行時にモデルが入力します。",
  pick: "値を挿入",
  insert: (path) => `${path} を挿入`,
  copyPath: (path) => `${path} をコピー`,
  anything: "任意",
};
