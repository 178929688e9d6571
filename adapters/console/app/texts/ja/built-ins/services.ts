import type { BuiltInTexts } from "../../built-in-texts.ts";
import { http } from "./http.ts";

const collection_id = { description: "アプリのコレクションの ID。" };
const record_id = { description: "コレクションのレコードの ID。" };
const file_id = { description: "アプリのファイルの ID。" };
const tags = { description: "アプリのタグの ID。" };
const changes = {
  description: "エンティティとフィールドごとの値。null を指定すると、フィールドまたはエンティティを削除します。",
};
const expected_version = { description: "レコードの想定バージョン。一致しない場合、ステップは失敗します。" };

export const services: BuiltInTexts["services"] = {
  events: {
    title: "イベント",
    actions: {
      emit: {
        title: "イベントを発行",
        description:
          "アプリのイベントを発行します。このイベントを待っているすべての実行が再開し、このイベントをトリガーとするすべてのワークフローが開始します。",
      },
      wait: {
        title: "イベントを待機",
        description:
          "この名前（name）と、指定した場合はこの対象（subject）のイベントを待ちます。condition は event に対する CEL 式で、真である必要があります。lookback を指定すると、直近 N 秒間（最大 7 日）のイベントも対象になります。待機時間を制限するには、ステップのタイムアウトを設定します。",
      },
    },
  },
  files: {
    title: "ファイル",
    actions: {
      create: {
        title: "ファイルを作成",
        description: "テキスト、Base64 でエンコードされたバイト列、または URL からファイルを作成します。",
      },
      read: {
        title: "ファイルを読み取る",
        description: "8 MiB までのファイルを、デコードしたテキストとして返します。バイナリの場合は Base64 で返します。",
        input: { file_id },
      },
      extract_text: {
        title: "文書のテキストを抽出",
        description: "PDF、Office 文書、Web ページ、メール、またはテキストファイルのテキストを返します。",
        input: { file_id },
      },
      delete: {
        title: "ファイルを削除",
        description: "アプリのファイルとその内容を削除します。",
        input: { file_id },
      },
    },
  },
  http,
  inputs: {
    title: "人が入力するフォーム",
    actions: {
      create_link: {
        title: "フォームへのリンクを作成",
        description:
          "この実行の入力ステップ（step_key）のフォームへのリンクを作成します。API キーを持たない人が使えます。実行がそのステップに達するのは後でもかまいません。フォームが受け付ける回答は 1 件です。expires_in は秒単位で、既定値は 7 日です。title と、text または markdown は、フォームの上に表示されます。",
      },
    },
  },
  records: {
    title: "レコード",
    actions: {
      list: {
        title: "レコードの一覧を取得",
        description: "コレクションのレコードを、新しい順に 1 ページ分返します。",
        input: {
          collection_id,
          search: { description: "いずれかのフィールドに含まれるテキスト。" },
          tags,
          page_token: { description: "前のページの next_page_token。" },
        },
      },
      get: {
        title: "レコードを読み取る",
        description: "レコードを、値、タグ、ルールの結果とともに返します。",
        input: { collection_id, record_id },
      },
      create: {
        title: "レコードを作成",
        description: "レコードを作成し、コレクションのルールを最大 10 秒待ちます。",
        input: {
          collection_id,
          data: { description: "エンティティとフィールドごとの値。{ file_id } はアプリのファイルを参照します。" },
          tags,
        },
      },
      update: {
        title: "レコードを更新",
        description: "指定したフィールドを更新し、コレクションのルールを最大 10 秒待ちます。",
        input: { collection_id, record_id, data: changes, tags, expected_version },
      },
      upsert: {
        title: "レコードを更新または作成",
        description:
          "フィールド（path、entity:field の形式）が指定した値を持つレコードを更新します。ない場合は作成します。",
        input: { collection_id, data: changes, tags },
      },
      delete: {
        title: "レコードを削除",
        description: "コレクションのレコードを削除します。",
        input: { collection_id, record_id, expected_version },
      },
    },
  },
  rules: {
    title: "ルール",
    actions: {
      list: {
        title: "コレクションのルールの一覧を取得",
        description: "コレクションがレコードのチェックに使うルールを返します。",
        input: { collection_id },
      },
      evaluate: {
        title: "レコードをチェック",
        description: "コレクションのルールでレコードを再チェックし、結果を最大 10 秒待ちます。",
        input: { collection_id },
      },
    },
  },
  scheduler: {
    title: "スケジューラー",
    actions: {
      create: {
        title: "ワークフローをスケジュール",
        description: "ワークフローを、1 回だけ（at）、秒単位の間隔（every）、または cron 式（cron）で実行します。",
      },
      list: { title: "スケジュールの一覧を取得", description: "アプリのスケジュールを返します。" },
      cancel: {
        title: "スケジュールを削除",
        description: "スケジュールを削除します。以後、新しい実行は開始されません。",
      },
      delay: {
        title: "待機",
        description:
          "指定した秒数（最大 366 日）、または指定した日時（ISO 8601）まで、実行を中断します。日時が過去の場合は、すぐに再開します。",
      },
    },
  },
  web_search: {
    title: "Web 検索",
    actions: {
      search: {
        title: "Web を検索",
        description: "Web ページのタイトル、URL、抜粋を、関連度の高い順に返します。",
      },
    },
  },
  webhooks: {
    title: "受信 Webhook",
    actions: {
      respond: {
        title: "応答",
        description:
          "実行を開始した受信 Webhook のリクエストに応答します。実行は続行されます。Stepwell が送信するのは最初の応答だけで、リクエストから 30 秒以内に限られます。ほかの実行では何も起こりません。",
      },
    },
  },
};
