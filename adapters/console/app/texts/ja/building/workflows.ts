import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

export const workflows: Messages["workflows"] = {
  title: "ワークフロー",
  searchLabel: "ワークフローを検索",
  newWorkflow: "新しいワークフロー",
  import: "インポート…",
  importTitle: "ワークフローのインポート",
  importText: "エクスポートしたドキュメント、またはステップを含む定義。",
  importDraft: "このドキュメントの内容は下書きです。インポートしたワークフローはデプロイされません。",
  importVersion: (version) =>
    `このドキュメントの内容はバージョン ${version} です。インポートしたワークフローにデプロイされます。`,
  importFile: "ファイル",
  importJson: "JSON",
  importTaken: (name) =>
    `「${name}」という名前のワークフローはすでにあります。インポートするものにはこの名前が付きます。`,
  importAction: "インポート",
  importRefused: (message) => `JSON ではありません：${message}`,
  importNoObject:
    "JSON オブジェクトではありません。エクスポートしたドキュメント、またはステップを含む定義を貼り付けてください。",
  importUnreadable: "ファイルを読み取れませんでした。もう一度選択してください。",
  importedName: "インポートしたワークフロー",
  imported: (count) => plural("ja", count, { other: "件のワークフローをインポートしました。" }),
  nameLabel: "名前",
  newTitle: "新しいワークフロー",
  copyName: (name) => `${name}（コピー）`,
  duplicate: "複製",
  version: "デプロイ済み",
  versionNumber: (version) => `v${version}`,
  notDeployed: "未デプロイ",
  deployFirst: "このワークフローにはデプロイされたバージョンがありません。デプロイしないと実行されません。",
  lastRun: "最後の実行",
  noRun: "なし",
  openRuns: "実行の一覧",
  openVersions: "バージョン",
  run: "実行…",
  empty: "ワークフローはまだありません。",
  emptyText:
    "ワークフローは、クラッシュや再起動の後も続行されるステップのリストです。新規に作成するか、JSON をインポートしてください。",
  noMatch: "該当するワークフローはありません。",
  deleteText: "下書き、バージョン、Webhook も削除されます。進行中の実行は続行されます。",
  usedText:
    "次のものがこのワークフローを使用しています。削除すると、スケジュールは一時停止し、ルールは無効になり、呼び出しているほかのワークフローのステップは失敗します。",
  actionsOf: (name) => `「${name}」の操作`,
  deletedOne: (id) => `${id}（削除済み）`,
  isTool: "エージェントのツール",
};
