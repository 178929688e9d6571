import type { Compared } from "../../en/building/versions.ts";
import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

const compared = (version: Compared): string =>
  typeof version === "number" ? `バージョン ${version}` : version === "draft" ? "下書き" : "最新バージョン";

export const versions: Messages["versions"] = {
  title: (workflow) => `「${workflow}」のバージョン`,
  version: (version) => `バージョン ${version}`,
  versionOf: (version, workflow) => `「${workflow}」の${version}`,
  latest: "最新",
  latestVersion: "最新バージョン",
  draft: "下書き",
  number: "バージョン",
  notes: "ノート",
  notesOf: (version) => `v${version} のノート：`,
  by: "デプロイした人",
  date: "デプロイ日時",
  rolledBack: (version) => `v${version} にロールバック`,
  compare: "比較",
  compareWithDraft: "下書きと比較",
  compareWithLatest: "最新と比較",
  compareWithBefore: "変更内容",
  compareTitle: (from, to, workflow) => `「${workflow}」の${compared(from)}と${compared(to)}`,
  from: "比較元",
  to: "比較先",
  rollBack: "このバージョンにロールバック…",
  rollBackTitle: (version) => `バージョン ${version} へのロールバック`,
  rollBackText: (version, next) =>
    `バージョン ${version} を、バージョン ${next} としてもう一度デプロイします。下書きは変更されません。`,
  fileReplaces: (path) =>
    `stepwell dev は、次の起動時とファイルの保存時に、このバージョンを ${path} の内容で置き換えます。このバージョンを残すには、定義をそのファイルにダウンロードしてください。`,
  rollBackAction: "ロールバック",
  runsOf: "実行",
  openDraft: "下書きを開く",
  empty: "まだ何もデプロイされていません。",
  emptyText: "下書きをデプロイすると、最初のバージョンが作成されます。",
  same: "差分はありません。",
  summary: (added, removed, changed) => `追加 ${added}、削除 ${removed}、変更 ${changed}`,
  layoutHidden: (count) => `${plural("ja", count, { other: "件" })}の位置とサイズの変更（実行には影響しません）`,
  moved: (count) => `${plural("ja", count, { other: "個" })}のステップが一覧内で移動`,
  stepAdded: "追加",
  stepRemoved: "削除",
  stepChanged: "変更",
  stepRenamed: (from) => `「${from}」から名前を変更`,
  part: {
    input: "入力フィールド",
    input_default: "フィールドの値",
    input_options: "フォームのレイアウト",
    settings: "実行の設定",
  },
  before: "変更前",
  after: "変更後",
  nothing: "未設定",
  equalLines: (count) => plural("ja", count, { other: "行の同じ内容" }),
  lineAdded: "追加",
  lineRemoved: "削除",
  truncated: "ほかにも差分があります。",
  canvases: "両方のキャンバス",
  list: "ステップとフィールド別",
  views: "表示",
  canvasOf: (version) => `${version}のキャンバス`,
};
