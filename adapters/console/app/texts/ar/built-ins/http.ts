import type { ServiceTexts } from "../../built-in-texts.ts";
import { isolate } from "../../isolate.ts";
import { token } from "./token.ts";

/** Of both actions. */
const request = {
  url: {
    description: `عنوان URL يبدأ بـ ${isolate("http:")} أو ${isolate("https:")}. ومع وجود اتصال، يمكن أن يكون نسبيًا إلى base_url الخاص بالاتصال.`,
  },
  query: { description: "معلمات الاستعلام. تكرّر القائمة المعلمة، وتحذفها القيمة null." },
  response_timeout: {
    description: "عدد الثواني التي يجب أن تبدأ الاستجابة خلالها. القيمة الافتراضية: 30. تحدّ مهلة الخطوة المحاولة كلها.",
  },
  method: { description: "القيمة الافتراضية: POST مع نص أساسي، وإلا GET." },
  json: { description: `النص الأساسي الذي يُرسل بالنوع ${isolate("application/json")}.` },
  text: { description: `النص الأساسي الذي يُرسل نصًا بترميز ${isolate("UTF-8")}.` },
  form: { description: `النص الأساسي الذي يُرسل بالنوع ${isolate("application/x-www-form-urlencoded")}.` },
};

export const http: ServiceTexts = {
  title: "HTTP",
  connection: {
    base_url: {
      title: "عنوان URL الأساسي",
      description:
        "عنوان URL الأساسي لواجهة API. يضيف Stepwell إليه عناوين URL النسبية في الخطوات، ولا يرسل الطلبات إلا إلى مصدره (origin).",
    },
    origins: {
      title: "مصادر إضافية",
      description: "مصادر (origins) إضافية يُسمح لها بتلقي بيانات الاعتماد.",
    },
    "origins[]": { title: "المصدر", description: `مصدر مثل ${isolate("https://files.example.com")}.` },
    "bearer.type": { title: "رمز Bearer المميّز" },
    "bearer.token": token,
    "basic.type": { title: "اسم المستخدم وكلمة المرور" },
    "basic.username": { title: "اسم المستخدم" },
    "basic.password": { title: "كلمة المرور" },
    "header.type": { title: "ترويسة" },
    "header.name": { title: "اسم الترويسة" },
    "header.value": { title: "القيمة", description: "قيمة الترويسة." },
    "query.type": { title: "معلمة استعلام" },
    "query.name": { title: "اسم المعلمة", description: "اسم معلمة الاستعلام." },
    "query.value": { title: "القيمة", description: "قيمة معلمة الاستعلام." },
    "oauth2.type": { title: "OAuth 2.0 (بيانات اعتماد العميل)" },
    "oauth2.token_url": {
      title: "عنوان URL للرمز المميّز",
      description: "نقطة نهاية الرموز المميّزة في خادم التفويض (RFC 6749، بيانات اعتماد العميل).",
    },
    "oauth2.client_id": { title: "معرّف العميل", description: "معرّف العميل." },
    "oauth2.client_secret": { title: "سر العميل", description: "سر العميل." },
    "oauth2.scope": { title: "النطاق", description: "النطاقات (scopes)، مفصولة بمسافات." },
    "oauth2.audience": { title: "الجمهور", description: "الجمهور (audience)، للخوادم التي تشترطه." },
    "oauth2.client_auth": {
      title: "مصادقة العميل",
      description:
        "يحدد هل يُرسل سر العميل في الترويسة Authorization (basic) أم في النص الأساسي (body). القيمة الافتراضية: basic.",
    },
  },
  actions: {
    request: {
      title: "إرسال طلب HTTP",
      description:
        "يرسل طلبًا، مع بيانات اعتماد الاتصال إن وُجد. تصبح الاستجابة JSON أو نصًا أو ملفًا في التطبيق. إذا كانت الحالة 400 أو أعلى، تفشل الخطوة.",
      input: {
        ...request,
        multipart: {
          description: `النص الأساسي الذي يُرسل بالنوع ${isolate("multipart/form-data")}: نصوص وملفات من التطبيق.`,
        },
        "multipart[].file_id": { description: "معرّف ملف في التطبيق." },
        file_id: { description: "معرّف ملف في التطبيق يُرسل نصًا أساسيًا." },
        response: {
          description: "تعيد القيمة auto محتوى JSON أو نصًا إذا كان نوع وسائط الاستجابة كذلك، وإلا تخزّن ملفًا.",
        },
        file_name: { description: "اسم الملف المخزَّن. القيمة الافتراضية: الاسم الذي يرسله الخادم." },
        visibility: { description: "مستوى ظهور الملف المخزَّن." },
      },
    },
    paginate: {
      title: "قراءة قائمة صفحةً صفحة",
      description: "يطلب صفحات القائمة ويعيد كل العناصر. تكون قيمة has_more هي true إذا بُلغ حدّ قبل الصفحة الأخيرة.",
      input: {
        ...request,
        next: { description: "كيفية العثور على الصفحة التالية." },
        "next.link": { description: `يتبع الترويسة Link التي فيها ${isolate('rel="next"')} (RFC 8288).` },
        "next.url": { description: "يتبع عنوان URL في النص الأساسي. path: مؤشر JSON Pointer إليه." },
        "next.cursor": {
          description: "يرسل قيمة من النص الأساسي كمعلمة استعلام. path: مؤشر JSON Pointer إليها.",
        },
        "next.cursor.parameter": { description: "معلمة الاستعلام. القيمة الافتراضية: cursor." },
        "next.page": { description: "يطلب صفحات مرقّمة حتى تخلو إحداها من العناصر." },
        "next.page.parameter": { description: "معلمة الاستعلام. القيمة الافتراضية: page." },
        "next.offset": {
          description: "يرسل عدد العناصر التي تلقاها حتى الآن كإزاحة، حتى تخلو إحدى الصفحات من العناصر.",
        },
        "next.offset.parameter": { description: "معلمة الاستعلام. القيمة الافتراضية: offset." },
        items: {
          description: "مؤشر JSON Pointer إلى القائمة في كل نص أساسي. القيمة الافتراضية: النص الأساسي هو القائمة.",
        },
        max_pages: { description: "القيمة الافتراضية: 100." },
        max_items: { description: "القيمة الافتراضية: 10000." },
      },
    },
  },
};
