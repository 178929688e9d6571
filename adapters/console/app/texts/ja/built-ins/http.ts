import type { ServiceTexts } from "../../built-in-texts.ts";
import { token } from "./token.ts";

/** Of both actions. */
const request = {
  url: {
    description: "http: または https: の URL。接続を使う場合は、接続の base_url からの相対 URL も指定できます。",
  },
  query: { description: "クエリパラメーター。リストを指定するとパラメーターを繰り返し、null を指定すると省略します。" },
  response_timeout: {
    description: "応答が始まるまでの最大秒数。既定値：30。試行全体の時間は、ステップのタイムアウトで制限されます。",
  },
  method: { description: "既定値：本文がある場合は POST、ない場合は GET。" },
  json: { description: "application/json として送信する本文。" },
  text: { description: "UTF-8 のテキストとして送信する本文。" },
  form: { description: "application/x-www-form-urlencoded として送信する本文。" },
};

export const http: ServiceTexts = {
  title: "HTTP",
  connection: {
    base_url: {
      title: "ベース URL",
      description:
        "API のベース URL。Stepwell はステップの相対 URL をこの URL に連結し、このオリジンにだけリクエストを送信します。",
    },
    origins: { title: "追加のオリジン", description: "認証情報の送信を許可するその他のオリジン。" },
    "origins[]": { title: "オリジン", description: "https://files.example.com などのオリジン。" },
    "bearer.type": { title: "Bearer トークン" },
    "bearer.token": token,
    "basic.type": { title: "ユーザー名とパスワード" },
    "basic.username": { title: "ユーザー名" },
    "basic.password": { title: "パスワード" },
    "header.type": { title: "ヘッダー" },
    "header.name": { title: "ヘッダー名" },
    "header.value": { title: "値", description: "ヘッダーの値。" },
    "query.type": { title: "クエリパラメーター" },
    "query.name": { title: "パラメーター名", description: "クエリパラメーターの名前。" },
    "query.value": { title: "値", description: "クエリパラメーターの値。" },
    "oauth2.type": { title: "OAuth 2.0（クライアントクレデンシャル）" },
    "oauth2.token_url": {
      title: "トークン URL",
      description: "認可サーバーのトークンエンドポイント（RFC 6749、クライアントクレデンシャル）。",
    },
    "oauth2.client_id": { title: "クライアント ID", description: "クライアント ID。" },
    "oauth2.client_secret": { title: "クライアントシークレット", description: "クライアントシークレット。" },
    "oauth2.scope": { title: "スコープ", description: "スペース区切りのスコープ。" },
    "oauth2.audience": { title: "オーディエンス", description: "サーバーが必要とする場合のオーディエンス。" },
    "oauth2.client_auth": {
      title: "クライアント認証",
      description:
        "クライアントシークレットを Authorization ヘッダー（basic）と本文（body）のどちらで送信するか。既定値：basic。",
    },
  },
  actions: {
    request: {
      title: "HTTP リクエストを送信",
      description:
        "リクエストを送信します。接続が設定されている場合は、その認証情報を使います。応答は JSON、テキスト、またはアプリのファイルになります。ステータスが 400 以上の場合、ステップは失敗します。",
      input: {
        ...request,
        multipart: { description: "multipart/form-data として送信する本文（テキストとアプリのファイル）。" },
        "multipart[].file_id": { description: "アプリのファイルの ID。" },
        file_id: { description: "本文として送信するアプリのファイルの ID。" },
        response: {
          description:
            "auto の場合、応答のメディアタイプに応じて JSON またはテキストを返し、それ以外はファイルとして保存します。",
        },
        file_name: { description: "保存するファイルの名前。既定値：サーバーが送信した名前。" },
        visibility: { description: "保存するファイルの公開範囲。" },
      },
    },
    paginate: {
      title: "リストをページごとに読み取る",
      description:
        "リストの各ページをリクエストし、すべての項目を返します。最後のページより前に上限に達した場合、has_more は true になります。",
      input: {
        ...request,
        next: { description: "次のページを見つける方法。" },
        "next.link": { description: 'Link ヘッダーの rel="next" をたどります（RFC 8288）。' },
        "next.url": { description: "本文にある URL をたどります。path：その JSON Pointer。" },
        "next.cursor": {
          description: "本文にある値をクエリパラメーターとして送信します。path：その JSON Pointer。",
        },
        "next.cursor.parameter": { description: "クエリパラメーター。既定値：cursor。" },
        "next.page": { description: "項目のないページが返るまで、番号順にページをリクエストします。" },
        "next.page.parameter": { description: "クエリパラメーター。既定値：page。" },
        "next.offset": {
          description: "項目のないページが返るまで、受信済みの項目数をオフセットとして送信します。",
        },
        "next.offset.parameter": { description: "クエリパラメーター。既定値：offset。" },
        items: { description: "各本文にあるリストの JSON Pointer。既定値：本文全体がリスト。" },
        max_pages: { description: "既定値：100。" },
        max_items: { description: "既定値：10000。" },
      },
    },
  },
};
