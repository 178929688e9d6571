import type { BuiltInTexts } from "../../built-in-texts.ts";
import { token } from "./token.ts";

/** Of the types whose events can have any form. */
const filterPaths = {
  milestone_path: {
    title: "マイルストーンへのパス",
    description:
      "イベントのどこに、到達したものが書かれているか。特定のマイルストーンのイベントだけを処理する場合に必要です。",
  },
  folder_path: {
    title: "フォルダーへのパス",
    description:
      "イベントのどこに、属するフォルダーが書かれているか。特定のフォルダーのイベントだけを処理する場合に必要です。",
  },
};

export const triggerTypes: BuiltInTexts["triggerTypes"] = {
  loan_origination: {
    title: "ローン組成",
    connection: {
      url: { title: "URL", description: "ローンの変更の一覧を返す URL。" },
      token,
    },
  },
  poll: {
    title: "URL をポーリング",
    config: {
      url: { title: "URL", description: "リストの URL。" },
      items_path: {
        title: "項目へのパス",
        description: "応答の中でリストがある場所。応答そのものがリストの場合は、空欄にします。",
      },
      id_path: { title: "ID へのパス", description: "項目の中で ID がある場所。" },
      ...filterPaths,
    },
  },
  webhook: {
    title: "Webhook",
    config: {
      id_path: {
        title: "ID へのパス",
        description: "本文の中でイベントの ID がある場所。リクエストの ID を使う場合は、空欄にします。",
      },
      ...filterPaths,
    },
  },
};

/** Of triggers of every type. */
export const triggers: BuiltInTexts["triggers"] = {
  mappings: { title: "マッピング", description: "レコードにコピーするイベントの値。" },
  "mappings[].type": {
    title: "種類",
    description: "key はレコードを検索し、file は ID を指定してファイルを書き込み、field は値を書き込みます。",
  },
  "mappings[].entity_path": { title: "レコードのフィールド", description: "entity:field の形式。" },
  "mappings[].input_path": {
    title: "イベント内のパス",
    description: "階層ごとに 1 つの名前。数字はリストの項目を表します。",
  },
  "mappings[].name": { title: "名前", description: "人が見るためのこの値の名前。" },
  pull_on_millestones: {
    title: "マイルストーン",
    description: "イベントを処理するマイルストーン。すべて処理する場合は、空欄にします。",
  },
  pull_on_folders: {
    title: "フォルダー",
    description: "イベントを処理するフォルダー。すべて処理する場合は、空欄にします。",
  },
  interval: { title: "間隔", description: "ポーリングの間隔（秒）。既定値：300。" },
};
