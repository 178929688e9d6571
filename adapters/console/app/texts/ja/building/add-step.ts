import type { Messages } from "../../messages.ts";

/** Words by which people look for a type of step, and what a setting of each step does instead of a type. */
export const addStep: Messages["addStep"] = {
  words: {
    input: "承認, 人, 担当者, 待つ, 待機, アップロード, ファイル, フォーム, トリガー, 開始, 質問, approval, form",
    code: "JavaScript, TypeScript, スクリプト, 変換, 設定, 関数, ループ, 繰り返し, 反復, リスト, script, loop",
    http_request: "メール, HTTP, API, 取得, Webhook, REST, curl, URL, fetch, email",
    branch: "条件, もし, 分岐, フィルター, それ以外, 判断, switch, if",
    model: "LLM, AI, 人工知能, GPT, チャット, プロンプト, エージェント, Claude",
    workflow: "サブワークフロー, 呼び出し, 子ワークフロー, subworkflow, call",
    browser: "スクレイピング, HTML, スクリーンショット, サイト, scrape",
    note: "コメント, メモ, 付箋, 注釈, comment",
  },
  loopWords: "ループ, 繰り返し, 反復, 項目ごと, loop, for each, foreach",
  loop: (when, forEach) => `どのステップも繰り返し実行できます。パネルの「${when}」で「${forEach}」を設定します。`,
  errorWords: "エラー, 失敗, 再試行, リトライ, 例外, キャッチ, タイムアウト, catch, error, retry, timeout",
  error: (errors) => `再試行とエラー時の経路はステップごとに設定します。パネルの「${errors}」で設定します。`,
};
