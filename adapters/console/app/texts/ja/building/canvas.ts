import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

export const canvas: Messages["canvas"] = {
  types: {
    note: "メモ",
    input: "入力",
    branch: "分岐",
    code: "コード",
    model: "モデル",
    http_request: "HTTP リクエスト",
    browser: "Web ページ",
    workflow: "ワークフロー",
    service: "サービス",
  },
  features: {
    conditional: "条件を満たす場合のみ",
    loop: "条件を満たすまで繰り返し",
    forEach: "リストの項目ごとに実行",
    retry: "独自の再試行ポリシーあり",
    continues: "失敗しても実行は続行",
    auto: "モデルがフィールドを補完",
    webhook: "Webhook あり",
  },
  changes: { added: "追加", removed: "削除", changed: "変更" },
  place: (index, count) => `${index} / ${count}`,
  problems: (count) => plural("ja", count, { other: "件の問題" }),
  leadsTo: (steps, others) => (others === 0 ? `次は ${steps}` : `次は ${steps} ほか ${others} 個`),
  leadsNowhere: "次のステップなし",
  else: "それ以外",
  onError: "エラー時",
  view: "表示",
  zoomIn: "拡大",
  zoomOut: "縮小",
  fit: "全体を表示",
  map: "キャンバスのマップ",
  addBehind: (step) => `「${step}」の後にステップを追加`,
  addBetween: (from, to) => `「${from}」と「${to}」の間にステップを追加`,
};
